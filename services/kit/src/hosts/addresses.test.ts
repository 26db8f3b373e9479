import fc from "fast-check";
import { expect, test } from "vitest";
import { addressPolicy, canonicalAddress } from "./addresses.ts";

const policy = addressPolicy();

test.each([
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.0",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.1",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001::8a",
  "2001:4860:4860::8888",
  "2001:200::1",
  "2003::1",
  // Embedded addresses that are public.
  "::ffff:8.8.8.8",
  "::ffff:808:808",
  "64:ff9b::8.8.8.8",
  "2002:808:808::1",
  "2001:0:808:808:0:0:f7f7:f7f7",
  "2a00:1450::5efe:808:808",
  "2a00:1450::200:5efe:808:808",
])("%s is public", (address) => {
  expect(policy.allows(address)).toBe(true);
});

test.each([
  // IPv4, first and last of each block.
  "0.0.0.0",
  "0.255.255.255",
  "10.0.0.0",
  "10.255.255.255",
  "100.64.0.0",
  "100.100.100.200",
  "100.127.255.255",
  "127.0.0.1",
  "127.255.255.255",
  "168.63.129.16",
  "169.254.0.0",
  "169.254.169.254",
  "169.254.170.2",
  "172.16.0.0",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.31.196.1",
  "192.52.193.1",
  "192.88.99.1",
  "192.168.0.0",
  "192.168.255.255",
  "192.175.48.1",
  "198.18.0.0",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.255",
  "240.0.0.1",
  "255.255.255.255",
  // IPv6 outside of global unicast.
  "::",
  "::1",
  "::7f00:1",
  "::8.8.8.8",
  "::ffff:0:8.8.8.8",
  "100::1",
  "64:ff9b:1::8.8.8.8",
  "64:ff9b::1:0:0:808:808",
  "fc00::1",
  "fd00:ec2::254",
  "fd20:ce::254",
  "fe80::1",
  "fe80::a9fe:a9fe",
  "fec0::1",
  "ff02::1",
  "4000::1",
  "5f00::1",
  "1fff:ffff::1",
  // Special within global unicast.
  "2001:2::1",
  "2001:3::1",
  "2001:4:112::1",
  "2001:10::1",
  "2001:20::1",
  "2001:30::1",
  "2001:1ff:ffff::1",
  "2001:db8::1",
  "2620:4f:8000::1",
  "3fff::1",
  "3fff:fff::1",
  // Embedded addresses that are not public.
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:a9fe:a9fe",
  "0:0:0:0:0:ffff:10.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::a9fe:a9fe",
  "2002:7f00:1::1",
  "2002:a9fe:a9fe::1",
  "2002:c0a8:101::1",
  // Teredo: a server that is not public, then a client.
  "2001:0:7f00:1:0:0:f7f7:f7f7",
  "2001:0:808:808:0:0:80ff:fffe",
  "2a00:1450::5efe:7f00:1",
  "2a00:1450::200:5efe:a9fe:a9fe",
  "fe80::5efe:808:808",
  // Zones, and texts that sockets do not write for addresses.
  "fe80::1%eth0",
  "2606:4700:4700::1111%1",
  "::ffff:8.8.8.8%lo",
  "2130706433",
  "0x7f000001",
  "017700000001",
  "127.1",
  "0177.0.0.1",
  "08.8.8.8",
  "8.8.8.8 ",
  "[2606:4700:4700::1111]",
  "example.com",
  "",
])("%j is not public", (address) => {
  expect(policy.allows(address)).toBe(false);
});

test.each([
  ["127.0.1.0/24", "127.0.1.9", true],
  ["127.0.1.0/24", "127.0.0.1", false],
  ["127.0.1.0/24", "127.0.2.1", false],
  ["127.0.1.0/24", "::ffff:127.0.1.9", true],
  ["127.0.1.0/24", "::ffff:127.0.0.1", false],
  ["fd00::/8", "fd12::1", true],
  ["fd00::/8", "fe80::1", false],
  ["fd00::/8", "127.0.0.1", false],
  ["::1/128", "::1", true],
  ["10.0.0.0/8", "64:ff9b::10.1.2.3", true],
])("an allow list of %s: %s is %s", (cidr, address, isAllowed) => {
  expect(addressPolicy([cidr]).allows(address)).toBe(isAllowed);
});

test("an IPv4 address has the same result in every embedding", () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const hex = Buffer.from(address.split(".").map(Number)).toString("hex");
      const isAllowed = policy.allows(address);
      expect(policy.allows(`::ffff:${address}`)).toBe(isAllowed);
      expect(policy.allows(`64:ff9b::${address}`)).toBe(isAllowed);
      expect(policy.allows(`2002:${hex.slice(0, 4)}:${hex.slice(4)}::1`)).toBe(isAllowed);
      expect(policy.allows(`2a00::5efe:${address}`)).toBe(isAllowed);
    }),
  );
});

test("the canonical notation of an address", () => {
  expect(canonicalAddress("::ffff:8.8.8.8")).toBe("8.8.8.8");
  expect(canonicalAddress("2001:DB8:0::1")).toBe(canonicalAddress("2001:db8::1"));
});
