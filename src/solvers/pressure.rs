//! Where a method says how its pressure is found.

use super::MethodParams;
use crate::params::{self, Value, ValueKind};
use crate::poisson::SolverParams;

/// The path, in a method's parameters, of the choice of its pressure solver, such as `pressure.kind`, and what is chosen.
/// None for a method that solves for no pressure. Other systems, of the viscosity say, are solved by the same solvers.
pub fn pressure_solver(method: &MethodParams) -> Option<(String, String)> {
    let mut all = system_solvers(method);
    let found = all
        .iter()
        .position(|(path, _)| path.split('.').any(|step| step == "pressure"))?;
    Some(all.swap_remove(found))
}

/// The same for every system that a method solves.
pub fn system_solvers(method: &MethodParams) -> Vec<(String, String)> {
    let all = params::entries(method).into_iter().filter(|e| {
        let solver = matches!(e.spec.kind, ValueKind::Choice(o) if o == SolverParams::OPTIONS);
        solver && e.path.ends_with(".kind")
    });
    all.filter_map(|e| match e.value {
        Value::Choice(chosen) => Some((e.path, chosen)),
        _ => None,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_of_the_pressure_is_found() {
        let (path, chosen) = pressure_solver(&MethodParams::default()).expect("there is one");
        assert_eq!(path, "pressure.kind");
        assert_eq!(chosen, SolverParams::OPTIONS[0].name);
    }
}
