# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced: unpack ARCHIVE FOLDER - a recorded tree, without the files that nobody reads, which are most of it.
left_out=(topology cache thermal_throttle power 'scaling_m*_freq' scaling_governor scaling_driver scaling_setspeed
	'scaling_available_*' scaling_boost_frequencies related_cpus affected_cpus 'cpuinfo_m*_freq'
	cpuinfo_transition_latency 'energy_performance_*' base_frequency desc latency residency above below rejected disable
	default_status s2idle hotplug msr microcode 'crash_notes*' acpi_cppc queue trace integrity regs 'amd_pstate_*'
	freqdomain_cpus cpb physical_package_id bios_limit boost cpu_capacity distance cpumap cpulist firmware_node)
unpack() { tar -xzf "$1" -C "$2" "${left_out[@]/#/--exclude=*/}"; }
