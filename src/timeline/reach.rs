//! What a pointer takes hold of where the areas of several handles overlap.
//!
//! Areas that take a pointer are larger than what is drawn, so those of neighbours overlap; which of two elements lies on
//! top must not decide. The nearest drawn grip does; a small one only where the pointer is on it or no larger one is in reach;
//! a body is taken only where no grip is in reach.

use fenceline_figure::{GripShape, Handle, HandleId};

/// The handle that a pointer at (x, y) takes hold of; `reach` is the least width and height of an area in px.
pub fn nearest<'h>(handles: impl IntoIterator<Item = &'h Handle>, x: f32, y: f32, reach: f32) -> Option<HandleId> {
    let far = |handle: &Handle| {
        let beside = |at: f32, centre: f32, size: f32| ((at - centre).abs() - size / 2.0).max(0.0);
        let (across, down) = (beside(x, handle.x, handle.w), beside(y, handle.y, handle.h));
        let room = |size: f32| (reach - size).max(0.0) / 2.0;
        let within = match handle.shape {
            GripShape::Body => across == 0.0 && down <= room(handle.h),
            _ => across <= room(handle.w) && down <= room(handle.h),
        };
        // Where two drawn grips overlap, the one whose middle is nearer.
        let middle = (x - handle.x).hypot(y - handle.y);
        let on_it = across == 0.0 && down == 0.0;
        let rank = match (handle.shape, on_it) {
            (GripShape::Body, _) => 4,
            (shape, on_it) => 2 * u8::from(!on_it) + u8::from(shape.is_small()),
        };
        within.then_some((rank, across.hypot(down), middle))
    };
    let candidates = handles.into_iter().filter_map(|handle| Some((far(handle)?, handle.id)));
    candidates
        .min_by(|((rank, far, middle), _), ((other_rank, other_far, other_middle), _)| {
            rank.cmp(other_rank).then(far.total_cmp(other_far)).then(middle.total_cmp(other_middle))
        })
        .map(|(_, id)| id)
}

#[cfg(test)]
mod tests {
    use fenceline_engine::trace::Lane;
    #[cfg(target_arch = "wasm32")]
    use wasm_bindgen_test::wasm_bindgen_test as test;

    use super::*;

    fn handle(pause: usize, shape: GripShape, (x, y): (f32, f32), (w, h): (f32, f32)) -> Handle {
        Handle {
            id: HandleId::PauseEnd { worker: 0, pause },
            lane: Lane::Worker(0),
            shape,
            x,
            y,
            w,
            h,
            now_us: 0,
            min_us: 0,
            max_us: 0,
            value_us: 0,
            from_us: 0,
            label: String::new(),
            value: String::new(),
            selected: false,
        }
    }

    fn taken(x: f32, y: f32) -> Option<usize> {
        let handles = [
            handle(0, GripShape::Body, (150.0, 50.0), (100.0, 30.0)),
            handle(1, GripShape::Capsule, (200.0, 50.0), (11.0, 34.0)),
            handle(2, GripShape::Capsule, (208.0, 64.0), (9.0, 12.0)),
        ];
        nearest(&handles, x, y, 28.0).map(|id| match id {
            HandleId::PauseEnd { pause, .. } => pause,
            other => panic!("{other}"),
        })
    }

    #[test]
    fn the_grip_under_the_pointer_is_taken_whatever_lies_over_it() {
        assert_eq!(taken(200.0, 50.0), Some(1));
        assert_eq!(taken(208.0, 66.0), Some(2));
    }

    #[test]
    fn beside_the_grips_the_nearest_is_taken() {
        assert_eq!(taken(190.0, 50.0), Some(1));
        assert_eq!(taken(218.0, 62.0), Some(2));
    }

    #[test]
    fn a_body_is_taken_only_out_of_reach_of_every_grip() {
        assert_eq!(taken(120.0, 60.0), Some(0));
        assert_eq!(taken(187.0, 50.0), Some(1), "13 px from the middle is within a reach of 28");
        assert_eq!(taken(185.0, 50.0), Some(0));
    }

    #[test]
    fn a_small_grip_is_taken_where_the_pointer_is_on_it_and_gives_way_beside_it() {
        let handles = [
            handle(0, GripShape::Body, (150.0, 50.0), (100.0, 30.0)),
            handle(1, GripShape::Capsule, (100.0, 50.0), (11.0, 34.0)),
            handle(2, GripShape::Dot, (112.0, 66.0), (10.0, 10.0)),
            handle(3, GripShape::Dot, (101.0, 66.0), (10.0, 10.0)),
        ];
        let taken = |x, y| match nearest(&handles, x, y, 28.0) {
            Some(HandleId::PauseEnd { pause, .. }) => pause,
            other => panic!("{other:?}"),
        };
        assert_eq!(taken(114.0, 68.0), 2, "on the dot");
        assert_eq!(taken(108.0, 58.0), 1, "beside both, in reach of both");
        assert_eq!(taken(120.0, 62.0), 2, "out of reach of the larger one: 14 px to each side of its middle");
        assert_eq!(taken(101.0, 64.0), 1, "on both");
        assert_eq!(taken(150.0, 50.0), 0);
    }

    #[test]
    fn nothing_is_taken_far_away() {
        assert_eq!(taken(240.0, 50.0), None);
        assert_eq!(taken(120.0, 90.0), None);
    }
}
