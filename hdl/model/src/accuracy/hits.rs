//! Ray-sphere tests against geometry.
//!
//! ```text
//!  f = o - c, p = |f x d| / |d|          how far the ray's line passes from the centre
//!  near, far = (-f . d -+ sqrt(r^2 - p^2) |d|) / d . d
//! ```
//!
//! Which root counts is `docs/numerics.md`'s rule, here without rounding: of another sphere the least that exceeds the bias, of
//! the sphere that the ray starts on the far one, above 0, if the ray starts inwards.

use crate::kernels::{SphereHitInputs, SphereHitOutputs, BIAS};
use crate::Host;

/// Most units that a hit's point is from the surface, in [`USUAL_SHARE`] of the hits.
pub const MOST_USUAL_ULP: f64 = 3.0;
/// How many of the hits, at least, are within [`MOST_USUAL_ULP`].
pub const USUAL_SHARE: f64 = 0.999;
/// Most units that any hit's point is from the surface, and that a wrong answer is from where the right one changes.
pub const MOST_ULP: f64 = 6.0;

/// What became of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// Rightly a hit: how far |o + t d - c| is from r, in units.
    Hit(f64),
    /// Rightly none.
    Miss,
    /// A hit where there is none, none where there is one, or the wrong root. The ray is so many units from one that such an
    /// answer would be right for: from the silhouette, or a root from the bias.
    Wrong(f64),
    /// An input is infinite or no number, or the lengths' squares leave FP32's range: geometry has no answer.
    Undefined,
}

/// The geometry of a test.
struct Geometry {
    f: [f64; 3],
    d: [f64; 3],
    r: f64,
    ulp: f64,
}

fn dot(u: [f64; 3], v: [f64; 3]) -> f64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

fn cross(u: [f64; 3], v: [f64; 3]) -> [f64; 3] {
    [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
}

impl Geometry {
    /// None where geometry has no answer.
    fn new(i: &SphereHitInputs<Host>) -> Option<Self> {
        let wide = |v: &crate::kernels::Triple<crate::Fp32>| v.0.map(|c| f64::from(c.canonical().to_f32()));
        let (o, c, d) = (wide(&i.origin), wide(&i.centre), wide(&i.direction));
        let f = [o[0] - c[0], o[1] - c[1], o[2] - c[2]];
        let r = f64::from(i.radius_squared.canonical().to_f32()).sqrt();
        let (away, size) = (dot(f, f).sqrt(), dot(f, f).sqrt().max(r));
        let defined = away.is_finite() && (1e-15..1e18).contains(&size) && (0.5..2.0).contains(&dot(d, d));
        defined.then(|| Self { f, d, r, ulp: (size.log2().floor() - 23.0).exp2() })
    }

    /// How far the point at distance `t` is from the surface, in units.
    fn off_surface(&self, t: f64) -> f64 {
        let point = [0, 1, 2].map(|i| self.f[i] + t * self.d[i]);
        (dot(point, point).sqrt() - self.r).abs() / self.ulp
    }

    fn judge(&self, i: &SphereHitInputs<Host>, answer: &SphereHitOutputs<Host>) -> Verdict {
        let Self { f, d, r, ulp } = *self;
        let dd = dot(d, d);
        let n = cross(f, d);
        let passes = (dot(n, n) / dd).sqrt();
        let silhouette = (passes - r).abs() / ulp;
        let middle = -dot(f, d) / dd;
        let half = (((r - passes) * (r + passes)).max(0.0) / dd).sqrt();
        let (near, far) = (middle - half, middle + half);
        // A root that does not count is behind its bound; the near one never counts of the ray's own sphere.
        let largest = f.iter().fold(r, |most, c| most.max(c.abs()));
        let bound = if i.own { 0.0 } else { f64::from(BIAS) * largest };
        let met = passes <= r;
        let near_counts = met && !i.own && near > bound;
        let far_allowed = !i.own || i.inside;
        let far_counts = met && far_allowed && far > bound;
        let right = if near_counts { Some(near) } else { far_counts.then_some(far) };

        // By how much the radius would have to differ for another answer: the silhouette passes through the ray, or a root
        // reaches its bound. The near root can if the bound is before the middle, the far root if it is behind.
        let edge = || {
            let at_bound = if i.own { far_allowed && middle <= bound } else { true };
            if at_bound {
                silhouette.min(self.off_surface(bound))
            } else {
                silhouette
            }
        };
        match (right, answer.hit) {
            (None, false) => Verdict::Miss,
            (Some(right), true) => {
                let got = f64::from(answer.distance.to_f32());
                let other = if near_counts { far } else { near };
                let off = self.off_surface(got);
                match (got - other).abs() < (got - right).abs() {
                    true => Verdict::Wrong(edge().max(off)),
                    false => Verdict::Hit(off),
                }
            }
            _ => Verdict::Wrong(edge()),
        }
    }
}

impl Verdict {
    /// Judges an answer.
    pub fn of(inputs: &SphereHitInputs<Host>, answer: &SphereHitOutputs<Host>) -> Self {
        match Geometry::new(inputs) {
            Some(geometry) => geometry.judge(inputs, answer),
            None => Self::Undefined,
        }
    }
}

/// Verdicts, gathered.
#[derive(Clone, Debug, Default)]
pub struct Hits {
    /// Right hits, by how far they are off the surface, in hundredths of a unit, rounded up; the last counts all that is more.
    hits: Vec<u64>,
    /// Right misses.
    pub misses: u64,
    /// Wrong answers within [`MOST_ULP`] of where they would be right.
    pub grazing: u64,
    /// Wrong answers beyond.
    pub wrong: u64,
    /// Tests that geometry has no answer for.
    pub undefined: u64,
    /// The hit that is most off, in units.
    pub worst_hit: f64,
    /// The wrong answer that is farthest from where it would be right, in units.
    pub worst_edge: f64,
}

/// Steps of the histogram in a unit, and how many there are.
const STEPS: (f64, usize) = (100.0, 10_001);

impl Hits {
    /// Judges one more answer.
    pub fn add(&mut self, inputs: &SphereHitInputs<Host>, answer: &SphereHitOutputs<Host>) {
        match Verdict::of(inputs, answer) {
            Verdict::Hit(off) => {
                self.hits.resize(STEPS.1, 0);
                self.hits[((off * STEPS.0).ceil() as usize).min(STEPS.1 - 1)] += 1;
                self.worst_hit = self.worst_hit.max(off);
            }
            Verdict::Miss => self.misses += 1,
            Verdict::Wrong(edge) => {
                self.worst_edge = self.worst_edge.max(edge);
                *(if edge <= MOST_ULP { &mut self.grazing } else { &mut self.wrong }) += 1;
            }
            Verdict::Undefined => self.undefined += 1,
        }
    }

    /// Right hits.
    pub fn hits(&self) -> u64 {
        self.hits.iter().sum()
    }

    /// Hits within so many units of the surface, to a hundredth.
    pub fn within(&self, units: f64) -> u64 {
        self.hits.iter().take((units * STEPS.0) as usize + 1).sum()
    }

    /// The least number of units, in hundredths, that this share of the hits is within.
    pub fn share_within(&self, share: f64) -> f64 {
        let wanted = (share * self.hits() as f64).ceil() as u64;
        let mut sum = 0;
        let step = self.hits.iter().position(|count| {
            sum += count;
            sum >= wanted
        });
        step.unwrap_or(0) as f64 / STEPS.0
    }

    /// How many of the hits are within [`MOST_USUAL_ULP`], 0 to 1; 1 without hits.
    pub fn usual_share(&self) -> f64 {
        match self.hits() {
            0 => 1.0,
            hits => self.within(MOST_USUAL_ULP) as f64 / hits as f64,
        }
    }

    /// No hit is more than [`MOST_ULP`] off, no answer wrong beyond that.
    pub fn all_within(&self) -> bool {
        self.wrong == 0 && self.worst_hit <= MOST_ULP
    }

    /// Every bar is met.
    pub fn good(&self) -> bool {
        self.all_within() && self.usual_share() >= USUAL_SHARE
    }
}

impl Hits {
    /// All figures on a line.
    pub fn summary(&self) -> String {
        format!(
            "{} hits, {:.3} % within {MOST_USUAL_ULP} ulp, worst {:.2}; {} misses; {} wrong within {MOST_ULP} ulp, {} beyond, worst {:.2}",
            self.hits(),
            100.0 * self.usual_share(),
            self.worst_hit,
            self.misses,
            self.grazing,
            self.wrong,
            self.worst_edge,
        )
    }
}

impl std::ops::AddAssign<&Hits> for Hits {
    fn add_assign(&mut self, other: &Hits) {
        if !other.hits.is_empty() {
            self.hits.resize(STEPS.1, 0);
        }
        self.hits.iter_mut().zip(&other.hits).for_each(|(sum, more)| *sum += more);
        self.misses += other.misses;
        self.grazing += other.grazing;
        self.wrong += other.wrong;
        self.undefined += other.undefined;
        self.worst_hit = self.worst_hit.max(other.worst_hit);
        self.worst_edge = self.worst_edge.max(other.worst_edge);
    }
}
