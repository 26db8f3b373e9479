import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { clientAddress, clientNetwork, trustedProxies } from "./client-address.ts";

/** Returns the client's address over HTTP and checks that the gRPC port finds the same one. */
async function addressSeen(setting: string, peer: string, forwarded?: string): Promise<string> {
  const trustProxy = trustedProxies().parse(setting);
  const app = Fastify({ trustProxy });
  app.get("/", ({ ip }) => ip);
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const { body } = await app.inject({ url: "/", remoteAddress: peer, headers });
  await app.close();
  expect(clientAddress({ socket: { remoteAddress: peer }, headers }, trustProxy)).toBe(body);
  return body;
}

describe("trusted proxies", () => {
  test.each([
    ["no trusted proxy", "0", "198.51.100.1", "203.0.113.9", "198.51.100.1"],
    ["one proxy", "1", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["one proxy whose client forged the header", "1", "10.0.0.1", "198.51.100.66, 203.0.113.9", "203.0.113.9"],
    ["two proxies", "2", "10.0.0.1", "198.51.100.66, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["a proxy that forwards no address", "1", "10.0.0.1", undefined, "10.0.0.1"],
    [
      "proxies within address blocks",
      "10.0.0.0/8, fd00::/8",
      "10.1.2.3",
      "198.51.100.66, 203.0.113.9, 10.9.9.9",
      "203.0.113.9",
    ],
    ["a proxy at an address", "10.0.0.1", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    [
      "a proxy connected with an IPv4-mapped IPv6 address",
      "10.0.0.0/8",
      "::ffff:10.0.0.1",
      "203.0.113.9",
      "203.0.113.9",
    ],
    ["only proxies", "10.0.0.0/8", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["a proxy that forwards invalid text", "1", "10.0.0.1", "unknown", "unknown"],
    ["a peer outside the address blocks", "10.0.0.0/8", "203.0.113.9", "198.51.100.66", "203.0.113.9"],
  ])("%s", async (_, setting, peer, forwarded, seen) => {
    expect(await addressSeen(setting, peer, forwarded)).toBe(seen);
  });

  test("only a number of proxies or address blocks are accepted; `true` is rejected with a hint", () => {
    const problem = (setting: string) => trustedProxies().safeParse(setting).error?.issues[0]?.message;
    expect(problem("true")).toMatch(
      /must be a number of proxies, such as 1, or their addresses as CIDRs.*"true" would/,
    );
    for (const setting of ["false", "yes", "99", "-1", "10.0.0.0/33", "proxy.example.com", "10.0.0.1,"]) {
      expect(problem(setting)).toMatch(/^must be a number of proxies/);
    }
  });
});

test("a client's network is its IPv4 address or its IPv6 /64, in any notation", () => {
  const network = (address: string) => clientNetwork(address);
  expect(network("::ffff:203.0.113.9")).toBe(network("203.0.113.9"));
  expect(network("2001:db8:0:1::1")).toBe(network("2001:DB8:0:1:ffff:ffff:ffff:ffff"));
  expect(network("2001:db8:0:1::1")).not.toBe(network("2001:db8:0:2::1"));
  expect(network("203.0.113.9")).not.toBe(network("203.0.113.10"));
  expect(network("'; drop")).toBe("unknown");
});
