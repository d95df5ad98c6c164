//! Pictures of games, beside everything else: each is drawn once for all who ask for it at the same time, kept for those who ask
//! later, and given up when nobody waits any more. At most half of the cores draw.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::body::Bytes;
use qiguan_pictures::card::Card;
use qiguan_protocol::{
    error::{ApiError, ErrorCode},
    ids::{GameId, Millis},
    query::Perspective,
};
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle, PlaceholderGuard},
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::net::{
    address::Group,
    connection_limit::{ConnectionLimit, ConnectionSlot},
    rate_limit::{Rate, RateLimit},
};

/// So many bytes of pictures are kept.
const KEPT_BYTES: u64 = 32 * 1024 * 1024;
/// About how large a picture is, and so how many there is room for.
const USUAL_BYTES: u64 = 64 * 1024;
/// So many pictures of one address are drawn or wait for that at once, and so many of all addresses together.
const PLACES_PER_ADDRESS: u32 = 4;
const PLACES: usize = 256;
/// An address has so many pictures drawn at once, and then one more every so often. Those that are kept cost nothing.
const BURST: u32 = 60;
const REFILL: Millis = Millis(2_000);

/// A picture that can be asked for: what it shows, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PictureRequest {
    /// A game that is over, move by move.
    Animation(AnimationRequest),
    /// What is shown where an address is pasted.
    Card(Box<Card>),
}

/// What an animation shows, and how. Only games that are over are drawn, so that the same is shown each time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AnimationRequest {
    /// The game.
    pub game: GameId,
    /// The first ply, as it was asked for.
    pub from: Option<u32>,
    /// The last one.
    pub to: Option<u32>,
    /// How long each position stands, in milliseconds.
    pub speed: u32,
    /// Whether the second seat is at the bottom.
    pub turned: bool,
    /// From whose perspective.
    pub perspective: Perspective,
}

/// A picture weighs as many bytes as it has.
#[derive(Clone, Copy, Debug)]
pub struct Weigh;

impl Weighter<PictureRequest, Bytes> for Weigh {
    fn weight(&self, _: &PictureRequest, picture: &Bytes) -> u64 {
        picture.len() as u64
    }
}

type Pictures = Cache<PictureRequest, Bytes, Weigh>;

/// A picture that nobody has drawn yet: everybody else who wants it waits for this one.
pub type Missing<'a> = PlaceholderGuard<
    'a,
    PictureRequest,
    Bytes,
    Weigh,
    DefaultHashBuilder,
    DefaultLifecycle<PictureRequest, Bytes>,
>;

/// The pictures that are kept, and who draws.
pub struct Drawings {
    kept: Pictures,
    turns: Arc<Semaphore>,
    places: Arc<Semaphore>,
    per_address: ConnectionLimit,
    rate: RateLimit<Group>,
}

/// What it takes to draw. Dropping it lets the next one draw.
pub struct Turn {
    _core: OwnedSemaphorePermit,
    _place: OwnedSemaphorePermit,
    _of_address: ConnectionSlot,
}

/// Tells a drawing that somebody waits for it, until it is dropped.
pub struct Waits(Arc<AtomicBool>);

impl Drawings {
    /// On so many cores.
    ///
    /// # Errors
    /// Never: the options are all there.
    pub fn new(cores: usize) -> anyhow::Result<Self> {
        let options = OptionsBuilder::new()
            .estimated_items_capacity((KEPT_BYTES / USUAL_BYTES) as usize)
            .weight_capacity(KEPT_BYTES)
            // So that one picture may take as much room as there is.
            .shards(1)
            .build()?;
        let lifecycle = DefaultLifecycle::default();
        let hashes = DefaultHashBuilder::default();
        Ok(Self {
            kept: Cache::with_options(options, Weigh, hashes, lifecycle),
            turns: Arc::new(Semaphore::new((cores / 2).max(1))),
            places: Arc::new(Semaphore::new(PLACES)),
            per_address: ConnectionLimit::new(PLACES_PER_ADDRESS),
            rate: RateLimit::new(Rate::new(BURST, REFILL)),
        })
    }

    /// A picture that is kept, also one that somebody else is just drawing; or what to put it into when it is drawn.
    ///
    /// # Errors
    /// The place of a picture that is not there.
    pub async fn kept(&self, wanted: &PictureRequest) -> Result<Bytes, Missing<'_>> {
        self.kept.get_value_or_guard_async(wanted).await
    }

    /// Waits for a turn to draw. Who waits gets one in the order of coming, and no address has more than a few places.
    ///
    /// # Errors
    /// `rate_limited`, `busy`.
    pub async fn turn(&self, address: Group, now: Millis) -> Result<Turn, ApiError> {
        let busy = || {
            let message = "too many pictures are being made; try again in a moment";
            ApiError::new(ErrorCode::Busy, message)
        };
        let of_address = self.per_address.take(address).ok_or_else(|| {
            let message = "pictures are already being made for this address; try again in a moment";
            ApiError::new(ErrorCode::Busy, message)
        })?;
        let place = Arc::clone(&self.places).try_acquire_owned();
        let place = place.map_err(|_| busy())?;
        self.rate
            .take(&address, now)
            .map_err(|retry| retry.error("too many pictures for this address; try again later"))?;
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        Ok(Turn {
            _core: turn.map_err(|_| busy())?,
            _place: place,
            _of_address: of_address,
        })
    }
}

impl Waits {
    /// Somebody waits; the other half tells a drawing whether that is still so.
    pub fn new() -> (Self, impl Fn() -> bool + Send + 'static) {
        let waits = Arc::new(AtomicBool::new(true));
        let asked = Arc::clone(&waits);
        (Self(waits), move || asked.load(Ordering::Relaxed))
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn wanted(number: u128) -> PictureRequest {
        PictureRequest::Animation(AnimationRequest {
            game: GameId(Uuid::from_u128(number)),
            from: None,
            to: None,
            speed: 1_000,
            turned: false,
            perspective: Perspective::Referee,
        })
    }

    fn group(last: u8) -> Group {
        Group::of([192, 0, 2, last].into())
    }

    #[tokio::test]
    async fn n3_a_picture_is_drawn_once_for_all_who_ask_at_the_same_time() {
        let drawings = Drawings::new(2).unwrap();
        let Err(missing) = drawings.kept(&wanted(1)).await else {
            panic!("nothing is kept yet");
        };
        let (one, two, ()) = tokio::join!(
            async { drawings.kept(&wanted(1)).await.ok() },
            async { drawings.kept(&wanted(1)).await.ok() },
            async {
                tokio::task::yield_now().await;
                missing.insert(Bytes::from_static(b"gif")).unwrap();
            }
        );
        assert_eq!(
            [one, two],
            [
                Some(Bytes::from_static(b"gif")),
                Some(Bytes::from_static(b"gif"))
            ]
        );
        // Who gives up leaves the place to the next.
        let Err(given_up) = drawings.kept(&wanted(2)).await else {
            panic!("nothing is kept yet");
        };
        let (next, ()) = tokio::join!(async { drawings.kept(&wanted(2)).await.is_err() }, async {
            drop(given_up)
        });
        assert!(next);
    }

    #[tokio::test]
    async fn n3_what_is_kept_has_an_end() {
        let drawings = Drawings::new(2).unwrap();
        let picture = Bytes::from(vec![0; 1024 * 1024]);
        for number in 0..100 {
            if let Err(missing) = drawings.kept(&wanted(number)).await {
                let _ = missing.insert(picture.clone());
            }
        }
        let kept = drawings.kept.weight();
        assert!((1..=KEPT_BYTES).contains(&kept), "{kept}");
    }

    #[tokio::test]
    async fn n3_one_address_takes_neither_all_cores_nor_all_places() {
        for (cores, turns) in [(1, 1), (2, 1), (3, 1), (4, 2), (16, 8)] {
            let drawings = Drawings::new(cores).unwrap();
            assert_eq!(drawings.turns.available_permits(), turns, "{cores}");
        }
        let drawings = Arc::new(Drawings::new(2).unwrap());
        let first = drawings.turn(group(1), Millis(0)).await.unwrap();
        let waiting: Vec<_> = (1..PLACES_PER_ADDRESS)
            .map(|_| {
                let drawings = Arc::clone(&drawings);
                tokio::spawn(async move { drawings.turn(group(1), Millis(0)).await.is_ok() })
            })
            .collect();
        while drawings.places.available_permits() > PLACES - PLACES_PER_ADDRESS as usize {
            tokio::task::yield_now().await;
        }
        let more = drawings.turn(group(1), Millis(0)).await;
        assert_eq!(more.err().unwrap().code, ErrorCode::Busy);
        // Somebody else has a place, and a turn after those who came before.
        let (other, ()) = tokio::join!(drawings.turn(group(2), Millis(0)), async { drop(first) });
        assert!(other.is_ok());
        for one in waiting {
            assert!(one.await.unwrap());
        }
    }

    #[tokio::test]
    async fn n3_an_address_has_so_many_pictures_drawn_and_then_one_now_and_then() {
        let drawings = Drawings::new(2).unwrap();
        for _ in 0..BURST {
            drawings.turn(group(1), Millis(0)).await.unwrap();
        }
        let refused = drawings.turn(group(1), Millis(0)).await.err().unwrap();
        assert_eq!(
            (refused.code, refused.retry_in_ms),
            (ErrorCode::RateLimited, Some(REFILL))
        );
        drawings.turn(group(2), Millis(0)).await.unwrap();
        drawings.turn(group(1), REFILL).await.unwrap();
    }
}
