// SSRF protection: decides which addresses are public, in every notation. Customers' URLs must not reach the product's
// network or the cloud's metadata.

import ipaddr from "ipaddr.js";

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

const ranges = (...cidrs: string[]): Range[] => cidrs.map((cidr) => ipaddr.parseCIDR(cidr));

/** IANA's IPv4 special-purpose registry, multicast, and addresses of cloud providers' services. */
const specialIPv4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  // Link-local: metadata of most clouds.
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  // Azure's platform services.
  "168.63.129.16/32",
);

/** Global unicast: no other IPv6 address is public. */
const globalIPv6 = ranges("2000::/3");
/** Special-purpose blocks within global unicast. Teredo is in the first block and is checked separately. */
const specialIPv6 = ranges("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20");

const teredo = ranges("2001::/32");
const sixToFour = ranges("2002::/16");
/** The well-known NAT64 prefix; the local-use prefix (64:ff9b:1::/48) is not public. */
const nat64 = ranges("64:ff9b::/96");

export interface AddressPolicy {
  /** Returns true if connections may go to `address`, in the notation of sockets and DNS. */
  allows(address: string): boolean;
}

/** Allows public addresses, and those in `allowCidrs`. */
export function addressPolicy(allowCidrs: readonly string[] = []): AddressPolicy {
  const allowed = ranges(...allowCidrs);
  const isAllowed = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean => {
    if (isIn(address, allowed)) return true;
    if (address instanceof ipaddr.IPv4) return !isIn(address, specialIPv4);
    if (address.isIPv4MappedAddress()) return isAllowed(address.toIPv4Address());
    const embedded = embeddedIPv4(address);
    const isRoutable = isTunnel(address) || (isIn(address, globalIPv6) && !isIn(address, specialIPv6));
    return isRoutable && embedded.every(isAllowed);
  };
  return {
    allows: (text) => {
      const address = parse(text);
      return address !== undefined && isAllowed(address);
    },
  };
}

/** Allows only the addresses in `cidrs`. */
export function onlyIn(cidrs: readonly string[]): AddressPolicy {
  const allowed = ranges(...cidrs);
  return {
    allows: (text) => {
      const address = parse(text);
      return address !== undefined && isIn(address, allowed);
    },
  };
}

/** Parses an address in the notation of sockets and DNS: no zone, no octal, no number. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // ipaddr.js reads ::8.8.8.8 as ::ffff:8.8.8.8, another address; URL normalizes the notation first.
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  return canonical === undefined || !text.includes(":") ? undefined : ipaddr.IPv6.parse(canonical);
}

/** Returns the canonical notation of an address; IPv4-mapped IPv6 becomes IPv4. */
export function canonicalAddress(text: string): string {
  return ipaddr.process(text).toString();
}

/** Returns true for a CIDR block such as `10.1.0.0/16`. */
export function isCidr(text: string): boolean {
  return ipaddr.isValidCIDR(text);
}

function isIn(address: ipaddr.IPv4 | ipaddr.IPv6, blocks: readonly Range[]): boolean {
  return blocks.some(([block, bits]) => block.kind() === address.kind() && address.match(block, bits));
}

/** Returns true for an address of a tunnel to an IPv4 address. */
function isTunnel(address: ipaddr.IPv6): boolean {
  return isIn(address, nat64) || isIn(address, sixToFour) || isIn(address, teredo);
}

/** Lists the IPv4 addresses that packets to `address` reach or pass. */
function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const { parts } = address;
  const found: ipaddr.IPv4[] = [];
  if (isIn(address, nat64)) found.push(ipv4(parts, 6));
  if (isIn(address, sixToFour)) found.push(ipv4(parts, 1));
  // A Teredo address contains the server's address, and the client's address with inverted bits.
  if (isIn(address, teredo)) found.push(ipv4(parts, 2), ipv4(parts, 6, 0xffff));
  // ISATAP: an interface id of 0:5efe or 200:5efe followed by the address, under any prefix.
  if (parts[5] === 0x5efe && ((parts[4] ?? 0) & ~0x0200) === 0) found.push(ipv4(parts, 6));
  return found;
}

/** Returns the 32 bits from part `at`, each part XORed with `mask`. */
function ipv4(parts: readonly number[], at: number, mask = 0): ipaddr.IPv4 {
  const [high = 0, low = 0] = parts.slice(at, at + 2).map((part) => part ^ mask);
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
