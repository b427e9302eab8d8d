//! Ways to a core in a LiteX system: UARTBone and Etherbone.
//!
//! ```text
//!  uartbone:/dev/ttyUSB0[@BAUD]      a serial line (or a pseudo-terminal); needs the feature `serial`
//!  uartbone:socket://HOST:PORT       the same bytes over TCP: LiteX's simulation, a terminal server
//!  etherbone:HOST[:PORT]             UDP, as LiteEth's gateware speaks it
//!  etherbone:tcp://HOST[:PORT]       TCP, as LiteX's `litex_server` speaks it
//! ```
//!
//! What always holds:
//! - Every call ends: with an answer, or with an error after [`PATIENCE`] and the time that the bytes take on their way.
//! - What a device sends is taken for nothing but bytes: too few, too many or wrong ones are an error, never a panic.

pub mod etherbone;
pub mod uartbone;

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::str::FromStr;
use std::time::Duration;

use rayman_abi::soc;

use crate::on_bus::{AddressMap, OnBus};
use crate::transport::{Transport, TransportError};

/// How long an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// A way to a LiteX system, as it is written after `--device`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Link {
    /// UARTBone on a serial line.
    Serial {
        /// The line, such as `/dev/ttyUSB0`.
        path: String,
        /// Bits a second.
        baud: u32,
    },
    /// UARTBone over TCP.
    Socket {
        /// `HOST:PORT`.
        address: String,
    },
    /// Etherbone over UDP.
    Udp {
        /// `HOST:PORT`.
        address: String,
    },
    /// Etherbone over TCP.
    Tcp {
        /// `HOST:PORT`.
        address: String,
    },
}

/// This is no way to a LiteX system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: {what}")]
pub struct LinkError {
    text: String,
    what: &'static str,
}

/// The forms of a [`Link`], for a command's help.
pub const FORMS: &str = "uartbone:/dev/ttyX[@BAUD], uartbone:socket://HOST:PORT, etherbone:HOST[:PORT] or \
                         etherbone:tcp://HOST[:PORT]";

/// `HOST:PORT` of a text in which the port may be left out.
fn host_and_port(text: &str, default: Option<u16>) -> Option<String> {
    let whole = |host: &str, port: u16| (!host.is_empty() && port > 0).then(|| format!("{host}:{port}"));
    // An IPv6 address stands in brackets, so that its colons are not taken for the port's.
    let plain = |host: &str| !host.contains(':') || (host.starts_with('[') && host.ends_with(']'));
    match text.rsplit_once(':') {
        Some((host, port)) if plain(host) && !text.ends_with(']') => whole(host, port.parse().ok()?),
        _ if plain(text) => whole(text, default?),
        _ => None,
    }
}

impl FromStr for Link {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let error = |what| LinkError { text: text.to_owned(), what };
        let port = "give a host and a port, such as localhost:1234";
        if let Some(rest) = text.strip_prefix("uartbone:") {
            if let Some(address) = rest.strip_prefix("socket://") {
                return Ok(Link::Socket { address: host_and_port(address, None).ok_or(error(port))? });
            }
            let (path, baud) = rest.rsplit_once('@').unwrap_or((rest, ""));
            let baud = if baud.is_empty() { Some(soc::BAUD) } else { baud.parse().ok().filter(|baud| *baud >= 300) };
            if path.is_empty() {
                return Err(error("give a serial line, such as uartbone:/dev/ttyUSB0"));
            }
            let baud = baud.ok_or(error("give the rate in bits a second, 300 or more, such as @115200"))?;
            return Ok(Link::Serial { path: path.to_owned(), baud });
        }
        if let Some(rest) = text.strip_prefix("etherbone:") {
            let (host, tcp) = rest.strip_prefix("tcp://").map_or((rest, false), |host| (host, true));
            let address = host_and_port(host, Some(soc::ETHERBONE_PORT)).ok_or(error(port))?;
            return Ok(if tcp { Link::Tcp { address } } else { Link::Udp { address } });
        }
        Err(error("a board is uartbone:... or etherbone:..."))
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Link::Serial { path, baud: soc::BAUD } => write!(f, "uartbone:{path}"),
            Link::Serial { path, baud } => write!(f, "uartbone:{path}@{baud}"),
            Link::Socket { address } => write!(f, "uartbone:socket://{address}"),
            Link::Udp { address } => write!(f, "etherbone:{address}"),
            Link::Tcp { address } => write!(f, "etherbone:tcp://{address}"),
        }
    }
}

impl Link {
    /// Opens the way to a core that is where the map says.
    pub fn open(&self, map: AddressMap) -> Result<Box<dyn Transport>, TransportError> {
        let name = self.to_string();
        Ok(match self {
            Link::Serial { path, baud } => Box::new(OnBus::new(uartbone::serial(name, path, *baud)?, map)?),
            Link::Socket { address } => Box::new(OnBus::new(uartbone::socket(name, address)?, map)?),
            Link::Udp { address } => Box::new(OnBus::new(etherbone::Udp::open(name, address)?, map)?),
            Link::Tcp { address } => Box::new(OnBus::new(etherbone::Tcp::open(name, address)?, map)?),
        })
    }
}

/// An error of a way to a device.
fn failed(name: &str, what: impl fmt::Display, source: io::Error) -> TransportError {
    TransportError::Io { what: format!("{name}: {what}"), source: Some(source) }
}

/// An error of a device that answers, but wrongly.
fn wrong(name: &str, what: impl fmt::Display) -> TransportError {
    TransportError::Io { what: format!("{name}: {what}"), source: None }
}

/// No answer came.
fn silent(name: &str, address: u32, words: usize) -> TransportError {
    wrong(
        name,
        format_args!("no answer to a read of {words} words at {address:#010x}: is the board on and programmed?"),
    )
}

/// What a name stands for.
fn resolve(name: &str, address: &str) -> Result<Vec<SocketAddr>, TransportError> {
    let found: Vec<_> = address
        .to_socket_addrs()
        .map_err(|source| failed(name, format_args!("no address of {address}"), source))?
        .collect();
    if found.is_empty() {
        return Err(wrong(name, format_args!("no address of {address}")));
    }
    Ok(found)
}

/// A TCP connection whose reads give up after a slice of time, so that who waits can look at the clock.
fn connect(name: &str, address: &str) -> Result<std::net::TcpStream, TransportError> {
    const SLICE: Duration = Duration::from_millis(100);
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for found in resolve(name, address)? {
        let ready = || -> io::Result<std::net::TcpStream> {
            let stream = std::net::TcpStream::connect_timeout(&found, PATIENCE)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(SLICE))?;
            stream.set_write_timeout(Some(PATIENCE))?;
            Ok(stream)
        };
        match ready() {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(failed(name, "cannot connect", last))
}

/// Whether an error of a read says no more than that nothing has come yet.
fn not_yet(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_read_and_written() {
        for (text, same) in [
            ("uartbone:/dev/ttyUSB0", "uartbone:/dev/ttyUSB0"),
            ("uartbone:/dev/ttyUSB0@1000000", "uartbone:/dev/ttyUSB0"),
            ("uartbone:/dev/pts/3@115200", "uartbone:/dev/pts/3@115200"),
            ("uartbone:socket://localhost:3456", "uartbone:socket://localhost:3456"),
            ("etherbone:192.168.1.50", "etherbone:192.168.1.50:1234"),
            ("etherbone:board:1", "etherbone:board:1"),
            ("etherbone:[::1]", "etherbone:[::1]:1234"),
            ("etherbone:tcp://[::1]:80", "etherbone:tcp://[::1]:80"),
            ("etherbone:tcp://localhost", "etherbone:tcp://localhost:1234"),
        ] {
            let link: Link = text.parse().expect(text);
            assert_eq!(link.to_string(), same);
            assert_eq!(same.parse::<Link>().expect(same), link);
        }
        for text in [
            "",
            "uartbone",
            "uartbone:",
            "uartbone:@115200",
            "uartbone:/dev/ttyUSB0@fast",
            "uartbone:/dev/ttyUSB0@0",
            "uartbone:socket://",
            "uartbone:socket://localhost",
            "uartbone:socket://:1",
            "uartbone:socket://a:99999",
            "etherbone:",
            "etherbone::1",
            "etherbone:a:0",
            "etherbone:::1",
            "etherbone:tcp://",
            "usb:/dev/x",
        ] {
            let error = text.parse::<Link>().expect_err(text).to_string();
            assert!(error.starts_with(&format!("`{text}`: ")), "{error}");
        }
    }
}
