import { startDnsServer } from "@ems/test-support/dns-server";
import { afterAll, describe, expect, test } from "vitest";
import { usualPorts } from "./ports.ts";
import { createPublicHosts } from "./public-host.ts";

const dns = await startDnsServer();
afterAll(() => dns.close());

const hosts = createPublicHosts({
  allowCidrs: [],
  ports: usualPorts,
  dnsServers: [dns.address],
  dnsTimeoutMs: 1_000,
});
const notPublic = { ok: false, reason: "not_public" };

dns.set("public.example.com", ["93.184.216.34"]);

test.each([
  "https://public.example.com",
  "https://public.example.com/",
  "https://PUBLIC.example.com:443/hook?token=1",
  "https://public.example.com:8443/hook",
  "https://public.example.com:1024/hook",
  "https://public.example.com/path@with/at",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  // Forms that URL parsing converts to 8.8.8.8.
  "https://134744072/",
  "https://0x08080808/",
  "https://010.8.8.8/",
])("%s may be set", async (url) => {
  expect(await hosts.checkUrl(url)).toEqual({ ok: true });
});

test.each([
  "",
  "public.example.com",
  "http://public.example.com/",
  "ftp://public.example.com/",
  "wss://public.example.com/",
  "file:///etc/passwd",
  "https://",
  "https://user@public.example.com/",
  "https://user:password@public.example.com/",
  "https://:@public.example.com/",
  "https://@public.example.com/",
  "https://public.example.com/#",
  "https://public.example.com/#part",
  "https://public.example.com:80/",
  "https://public.example.com:22/",
  "https://public.example.com:1023/",
  "https://public.example.com:6379/",
  "https://public.example.com:06379/",
  "https://public.example.com:0/",
  "https://public.example.com:65536/",
  "https://public/",
  "https://localhost/",
  "https://localhost:8443/",
  "https://app.localhost/",
  "https://printer.local/",
  "https://metadata.google.internal/",
  "https://hidden.onion/",
  "https://1.0.0.127.in-addr.arpa/",
  "https://public.example.com./",
  "https://public..example.com/",
  "https://-/",
  `https://${"a".repeat(64)}.example.com/`,
  // Every spelling of 127.0.0.1 and similar addresses that URL parsing accepts.
  "https://127.0.0.1/",
  "https://127.0.0.1.:8443/",
  "https://127.1/",
  "https://2130706433/",
  "https://0x7f000001/",
  "https://0x7f.1/",
  "https://0177.0.0.1/",
  "https://017700000001/",
  "https://0/",
  "https://①②⑦.0.0.1/",
  "https://127%2e0%2e0%2e1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://2852039166/",
  "https://0xa9.0xfe.0xa9.0xfe/",
  "https://10.0.0.1/",
  "https://192.168.1.1/",
  "https://[::1]/",
  "https://[::]/",
  "https://[::ffff:127.0.0.1]/",
  "https://[::ffff:a9fe:a9fe]/",
  "https://[::127.0.0.1]/",
  "https://[64:ff9b::7f00:1]/",
  "https://[2002:7f00:1::]/",
  "https://[fe80::1%25eth0]/",
  "https://[fe80::1]/",
  "https://[fd00:ec2::254]/",
])("%j may not be set, and no DNS query is sent", async (url) => {
  const before = dns.questions.length;
  expect(await hosts.checkUrl(url)).toEqual(notPublic);
  expect(dns.questions.length).toBe(before);
});

describe("names", () => {
  test.each([
    ["one private address", ["10.0.0.1"]],
    ["a public and a private address", ["93.184.216.34", "127.0.0.1"]],
    ["a public IPv4 and a private IPv6 address", ["93.184.216.34", "fd00::1"]],
    ["a private address mapped into IPv6", ["::ffff:127.0.0.1"]],
    ["seventeen addresses", Array.from({ length: 17 }, (_, at) => `93.184.216.${at + 1}`)],
  ])("with %s may not be set", async (_, addresses) => {
    dns.set("bad.example.com", addresses);
    expect(await hosts.checkUrl("https://bad.example.com/")).toEqual(notPublic);
  });

  test("with sixteen public addresses of both families may be set", async () => {
    const addresses = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [`93.184.216.${at}`, `2606:4700::${at}`]);
    dns.set("many.example.com", addresses);
    expect(await hosts.checkUrl("https://many.example.com/")).toEqual({ ok: true });
  });

  test("that do not exist, or have no addresses, may not be set", async () => {
    dns.set("empty.example.com", []);
    expect(await hosts.checkUrl("https://gone.example.com/")).toEqual(notPublic);
    expect(await hosts.checkUrl("https://empty.example.com/")).toEqual(notPublic);
    expect(await hosts.target("https://gone.example.com/")).toEqual({ ok: false, reason: "name_not_found" });
  });

  test.each(["SERVFAIL", "REFUSED", "silence"] as const)(
    "cause an internal error when the name server answers %s",
    async (failure) => {
      dns.set("broken.example.com", failure);
      expect(await hosts.checkUrl("https://broken.example.com/")).toEqual({ ok: false, reason: "resolver" });
    },
  );

  test("are found by one family when the name server has no address of the other", async () => {
    dns.set("half.example.com", ["93.184.216.34"], { AAAA: "SERVFAIL" });
    expect(await hosts.checkUrl("https://half.example.com/")).toEqual({ ok: true });
  });

  test("of the hosts file are ignored", async () => {
    expect(await hosts.checkUrl("https://localhost.localdomain/")).toEqual(notPublic);
  });
});

test("attempts use cached DNS results; setting a webhook does not", async () => {
  dns.set("often.example.com", ["93.184.216.34"]);
  const queries = () => dns.questions.filter(({ name }) => name === "often.example.com").length;
  await Promise.all([1, 2, 3].map(() => hosts.target("https://often.example.com/")));
  await hosts.target("https://often.example.com/");
  expect(queries()).toBe(2);
  dns.set("often.example.com", ["127.0.0.1"]);
  expect(await hosts.checkUrl("https://often.example.com/")).toEqual(notPublic);
});

test.each([
  ["SERVFAIL", "resolver"],
  ["NXDOMAIN", "name_not_found"],
] as const)("a result without addresses is not cached (%s)", async (answer, reason) => {
  const name = `back-${answer.toLowerCase()}.example.com`;
  dns.set(name, answer);
  expect(await hosts.target(`https://${name}/`)).toEqual({ ok: false, reason });
  dns.set(name, ["93.184.216.34"]);
  expect(await hosts.target(`https://${name}/`)).toMatchObject({ ok: true, addresses: ["93.184.216.34"] });
});

test("an allow list allows only its addresses in addition", async () => {
  const opened = createPublicHosts({
    allowCidrs: ["127.0.1.0/24"],
    ports: [{ first: 443, last: 443 }],
    dnsServers: [dns.address],
    dnsTimeoutMs: 1_000,
  });
  dns.set("hooks.corp.internal", ["127.0.1.7"]);
  expect(await opened.checkUrl("https://127.0.1.1/")).toEqual({ ok: true });
  expect(await opened.checkUrl("https://hooks.corp.internal/")).toEqual({ ok: true });
  expect(await opened.checkUrl("https://127.0.0.1/")).toEqual(notPublic);
  expect(await opened.checkUrl("https://10.0.0.1/")).toEqual(notPublic);
});

describe("without TLS", () => {
  const options = { allowCidrs: [], ports: usualPorts, dnsServers: [dns.address], dnsTimeoutMs: 1_000 };
  const loopback = createPublicHosts({ ...options, plainCidrs: ["127.0.0.1/32", "::1/128"] });
  const models = createPublicHosts({ ...options, plainCidrs: ["10.1.0.0/16"] });

  test.each(["http://127.0.0.1:4000/hook", "http://localhost:4000/", "http://[::1]:4000/"])(
    "%s is reached where its addresses are allowed, and never elsewhere",
    async (url) => {
      expect(await loopback.checkUrl(url)).toEqual({ ok: true });
      expect(await hosts.checkUrl(url)).toEqual(notPublic);
      expect(await models.checkUrl(url)).toEqual(notPublic);
    },
  );

  test.each([
    "http://127.0.0.2:4000/",
    "http://8.8.8.8:4000/",
    "http://public.example.com:4000/",
    "http://user@127.0.0.1:4000/",
    "http://127.0.0.1/",
    "http://127.0.0.1:5432/",
    "http://[::ffff:10.0.0.1]:4000/",
    "https://127.0.0.1:4000/",
    "https://localhost:4000/",
    "ftp://127.0.0.1:4000/",
  ])("%s is refused if only loopback is allowed", async (url) => {
    expect(await loopback.checkUrl(url)).toEqual(notPublic);
  });

  test("names of any form are allowed if all their addresses are", async () => {
    dns.set("ollama", ["10.1.0.7"]);
    dns.set("both.example.com", ["10.1.0.7", "93.184.216.34"]);
    expect(await models.checkUrl("http://ollama:11434/v1")).toEqual({ ok: true });
    expect(await models.checkUrl("http://both.example.com:11434/v1")).toEqual(notPublic);
    expect(await models.checkUrl("http://localhost:11434/v1")).toEqual(notPublic);
  });
});
