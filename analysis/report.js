"use strict";
for (const table of document.querySelectorAll("table.rows")) {
	const body = table.tBodies[0];
	const all = [...body.rows];
	table.querySelectorAll("th").forEach((head, column) => {
		const button = head.querySelector("button");
		if (!button)
			return;
		button.addEventListener("click", () => {
			const down = head.getAttribute("aria-sort") !== "descending";
			table.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
			head.setAttribute("aria-sort", down ? "descending" : "ascending");
			const value = row => {
				const cell = row.cells[column];
				return cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v);
			};
			all.sort((a, b) => {
				const x = value(a), y = value(b);
				const order = typeof x === "number" ? (isNaN(x) ? 1 : isNaN(y) ? -1 : y - x) : x < y ? -1 : x > y ? 1 : 0;
				return down ? order : -order;
			});
			body.append(...all);
		});
	});
}
const filter = document.querySelector("#filter");
filter.addEventListener("input", () => {
	const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
	for (const row of document.querySelectorAll("table.rows tbody tr")) {
		const key = row.querySelector("td.key").textContent.toLowerCase();
		row.hidden = !words.every(word => word.startsWith("-") ? !key.includes(word.slice(1)) : key.includes(word));
	}
});
