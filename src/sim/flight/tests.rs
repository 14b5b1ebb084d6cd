//! Frames that are not waited for, on a GPU where there is one.

use std::path::PathBuf;
use std::sync::Arc;

use crate::device::{Device, DeviceChoice};
use crate::document::Document;
use crate::scene::Key;
use crate::sim::tests::{document, never};
use crate::sim::{Fault, Simulation};
use crate::solvers::StepReport;

/// A simulation on a GPU, where there is one.
fn on_gpu(document: Document) -> Option<Simulation> {
    match Device::new(DeviceChoice::Gpu) {
        Ok(device) => Some(Simulation::new(Arc::new(document), PathBuf::new(), device).unwrap()),
        Err(why) => {
            println!("skipped: {why}");
            None
        }
    }
}

/// A jet that is still, then sudden: the number of sub-steps jumps.
fn sudden(max_substeps: u32) -> Document {
    let mut document = document();
    document.time.max_substeps = max_substeps;
    document.scene.emitters[0].velocity = [0.0, 25.0, 0.0];
    document.scene.emitters[0].activity.keys = [(0.0, 0.0), (0.1, 0.0), (0.11, 1.0)]
        .map(|(time, value)| Key { time, value })
        .to_vec();
    document
}

#[test]
fn a_frame_is_sent_before_the_one_before_it_has_landed() {
    let Some(mut simulation) = on_gpu(sudden(1)) else {
        return;
    };
    simulation.advance(&never).unwrap();
    let stalls = simulation.device().stalls();
    assert!(stalls > 0, "a frame that is waited for");
    simulation.send(&never).unwrap();
    simulation.ask_fields(&["dye".to_owned()]);
    simulation.ask_checkpoint();
    assert!(simulation.may_send());
    simulation.send(&never).unwrap();
    assert_eq!((simulation.under_way(), simulation.frame()), (2, 3));
    assert!(!simulation.may_send());
    let refused = simulation.send(&never).unwrap_err();
    assert!(matches!(refused, Fault::Internal(_)), "{refused}");
    let landed = simulation.land(None).unwrap().unwrap();
    assert_eq!((landed.frame, landed.report.substeps), (2, 1));
    assert!(!landed.next_undone);
    assert_eq!(landed.fields.unwrap()[0].desc.name, "dye");
    let checkpoint = landed.checkpoint.unwrap();
    assert_eq!(
        simulation.device().stalls(),
        stalls,
        "nothing was waited for to the end"
    );
    // The third frame is under way all the while, and the checkpoint is the one of the second.
    let landed = simulation.land(None).unwrap().unwrap();
    assert_eq!(landed.frame, 3);
    assert!(simulation.land(None).unwrap().is_none());
    let after = simulation.checkpoint().unwrap();
    simulation.restore(&checkpoint).unwrap();
    assert_eq!(simulation.frame(), 2);
    simulation.advance(&never).unwrap();
    assert_eq!(simulation.checkpoint().unwrap(), after);
}

#[test]
fn frames_that_are_not_waited_for_are_the_same_bit_by_bit() {
    let Some(mut waits) = on_gpu(sudden(3)) else {
        return;
    };
    let (mut plays, mut undone, mut ahead) = (on_gpu(sudden(3)).unwrap(), 0, 0);
    let mut expected = Vec::new();
    while waits.frame() < 16 {
        let mut report = waits.advance(&never).unwrap();
        report.kernels.clear();
        expected.push(report);
    }
    let substeps: Vec<u32> = expected.iter().map(|r| r.substeps).collect();
    assert!(substeps[0] == 1 && substeps[15] == 3, "{substeps:?}");
    let mut found = Vec::new();
    while found.len() < 16 {
        while plays.may_send() && plays.frame() < 16 {
            plays.send(&never).unwrap();
            ahead += u32::from(plays.under_way() == 2);
        }
        let mut landed = plays.land(None).unwrap().unwrap();
        landed.report.kernels.clear();
        undone += u32::from(landed.next_undone);
        found.push(landed.report);
    }
    println!("{ahead} frames sent ahead, {undone} of them undone");
    assert!(ahead > 8 && undone > 0, "{ahead} {undone}");
    for (expected, found) in expected.iter().zip(&found) {
        assert_eq!(expected.invariants, found.invariants);
        assert_eq!(
            expected.pressure().map(|s| s.l2),
            found.pressure().map(|s| s.l2)
        );
        let of = |r: &StepReport| (r.time, r.dt, r.substeps, r.solves.len());
        assert_eq!(of(expected), of(found));
    }
    assert_eq!(waits.checkpoint().unwrap(), plays.checkpoint().unwrap());
}

#[test]
fn a_fault_that_is_found_with_the_next_frame_under_way_is_that_of_its_frame() {
    let Some(mut simulation) = on_gpu(sudden(1)) else {
        return;
    };
    simulation.run_to(3, &never).unwrap();
    let good = simulation.checkpoint().unwrap();
    let mut poisoned = good.clone();
    let values = &mut poisoned.state[0].1;
    let middle = values.len() / 2;
    values[middle] = f32::NAN;
    simulation.restore(&poisoned).unwrap();
    simulation.send(&never).unwrap();
    simulation.send(&never).unwrap();
    assert_eq!(simulation.frame(), 5);
    let fault = simulation.land(None).unwrap_err();
    assert!(
        matches!(fault, Fault::NotFinite { frame: 4, .. }),
        "{fault}"
    );
    assert_eq!((simulation.frame(), simulation.under_way()), (4, 0));
    // As where it is waited for.
    let state = simulation.checkpoint().unwrap().state;
    simulation.restore(&poisoned).unwrap();
    let waited = simulation.advance(&never).unwrap_err();
    assert_eq!(fault.to_string(), waited.to_string());
    let bits = |state: Vec<(&str, Vec<f32>)>| -> Vec<u32> {
        let values = state.into_iter().flat_map(|(_, values)| values);
        values.map(f32::to_bits).collect()
    };
    assert_eq!(bits(state), bits(simulation.checkpoint().unwrap().state));
    simulation.restore(&good).unwrap();
    simulation.advance(&never).unwrap();
}

#[test]
fn what_is_done_between_frames_is_not_the_cost_of_one() {
    for choice in [DeviceChoice::Cpu, DeviceChoice::Gpu] {
        let Ok(mut device) = Device::new(choice) else {
            println!("skipped: no {choice:?}");
            continue;
        };
        device.set_timing(true);
        let mut simulation = Simulation::new(Arc::new(document()), PathBuf::new(), device).unwrap();
        let names = |simulation: &mut Simulation| -> Vec<&str> {
            simulation.send(&never).unwrap();
            let landed = simulation.land(None).unwrap().unwrap();
            landed.report.kernels.iter().map(|k| k.name).collect()
        };
        names(&mut simulation);
        let alone = names(&mut simulation);
        assert!(alone.len() > 5 || choice == DeviceChoice::Gpu, "{alone:?}");
        simulation.field("obstacle").unwrap();
        assert_eq!(names(&mut simulation), alone, "after a picture");
    }
}
