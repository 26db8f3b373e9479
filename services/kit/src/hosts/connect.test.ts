import type { LookupOptions } from "node:dns";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConnectFailure, connectChecked, pinnedLookup } from "./connect.ts";

describe("a look-up", () => {
  const lookup = pinnedLookup(() => new Set(["192.0.2.1", "2001:db8::1"]));
  const lookUp = (options: LookupOptions) =>
    new Promise<unknown>((resolve) => {
      let isReturned = false;
      lookup("name", options, (error, ...answer) => resolve({ isReturned, code: error?.code, answer }));
      isReturned = true;
    });
  const [ipv4, ipv6] = [
    { address: "192.0.2.1", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ];

  test.each<[LookupOptions, unknown]>([
    [{ all: true }, [[ipv4, ipv6]]],
    [{ all: true, family: 0 }, [[ipv4, ipv6]]],
    [{ all: true, family: 6 }, [[ipv6]]],
    [{ all: true, family: "IPv4" }, [[ipv4]]],
    [{}, ["192.0.2.1", 4]],
    [{ family: 6 }, ["2001:db8::1", 6]],
  ])("with %o calls back in a later tick", async (options, answer) => {
    expect(await lookUp(options)).toEqual({ isReturned: true, code: undefined, answer });
  });

  test("for a family that the name does not have finds nothing", async () => {
    const only = pinnedLookup(() => new Set(["192.0.2.1"]));
    await expect(promisify(only)("name", { family: 6 })).rejects.toMatchObject({ code: "ENOTFOUND" });
  });
});

describe("a connection without TLS", () => {
  const server = createServer((socket) => socket.end());
  beforeAll(async () => {
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => void server.close());
  const connectTo = (checked: string) => {
    const { port } = server.address() as AddressInfo;
    const addresses = () => new Set([checked]);
    const options = { host: "127.0.0.1", port, addresses, secureContext: undefined, timeoutMs: 5_000 };
    return new Promise<Error | Socket>((resolve) => {
      connectChecked(options, (error, socket) => resolve(error ?? socket));
    });
  };

  test("opens to a checked address", async () => {
    expect(await connectTo("127.0.0.1")).toMatchObject({ remoteAddress: "127.0.0.1" });
  });

  test("is closed at an unchecked address", async () => {
    expect(await connectTo("127.0.0.2")).toEqual(new ConnectFailure("ADDRESS_NOT_CHECKED"));
  });
});
