import { BlockList } from "node:net";
import { listCallers, mesh, type ProcessName, processNames } from "@ems/deploy/mesh";
import { listVariables } from "@ems/deploy/settings";
import { addressPolicy } from "@ems/kit/hosts";
import { beforeAll, expect, test } from "vitest";
import { caseFile, find, type Manifest, manifests } from "./render.ts";

interface Peer {
  readonly ipBlock?: { cidr: string; except?: string[] };
  readonly podSelector?: { matchExpressions?: { key: string; values: string[] }[] };
}
interface Rule {
  readonly ports: { port: number; endPort?: number }[];
  readonly to?: Peer[];
  readonly from?: Peer[];
}

let objects: Manifest[];
beforeAll(async () => {
  objects = await manifests(caseFile("everything"));
});

const rules = (name: string, direction: "ingress" | "egress"): Rule[] =>
  find(objects, "NetworkPolicy", `ems-${name}`).spec[direction];
/** Components that the rules for this port name. */
const peersAt = (list: readonly Rule[], port: number) =>
  list
    .filter(({ ports }) => ports.some((each) => each.port === port))
    .flatMap(({ to, from }) => to ?? from ?? [])
    .flatMap(({ podSelector }) => podSelector?.matchExpressions ?? [])
    .flatMap(({ values }) => values);

test("a service is reached only by its callers, and its admin port by none of them", () => {
  for (const name of processNames.filter((each) => each !== "gateway")) {
    expect(peersAt(rules(name, "ingress"), mesh[name].port)).toEqual(listCallers(name));
    expect(peersAt(rules(name, "ingress"), 9090)).toEqual(["test"]);
  }
});

test("`ems doctor` reaches the API, and nothing of the services but PostgreSQL and NATS", () => {
  expect(peersAt(rules("gateway", "ingress"), mesh.gateway.port)).toEqual(["doctor", "test"]);
  expect(peersAt(rules("doctor", "egress"), mesh.gateway.port)).toEqual(["gateway"]);
  const ports = rules("doctor", "egress").flatMap((rule) => rule.ports.map(({ port }) => port));
  expect(ports).toEqual([53, 53, 5432, 4222, mesh.gateway.port]);
});

test("a process reaches whom it calls", () => {
  const called = (name: ProcessName) =>
    processNames.filter((each) => peersAt(rules(name, "egress"), mesh[each].port).includes(each));
  for (const name of processNames) {
    expect(called(name)).toEqual(processNames.filter((each) => mesh[name].calls.includes(each)));
  }
});

test("ClickHouse is reached by processes that read or archive rows and by migrations; without it no process reaches it", async () => {
  const reaching = (list: readonly Manifest[]) =>
    list
      .filter(({ kind, spec }) => kind === "NetworkPolicy" && JSON.stringify(spec.egress ?? []).includes("8443"))
      .map(({ metadata }) => metadata.labels?.["app.kubernetes.io/component"]);
  const readers = processNames.filter((name) => listVariables(name).includes("CLICKHOUSE_URL"));
  expect(readers).toContain("reporting");
  expect(reaching(objects)).toEqual(expect.arrayContaining([...readers, "migrate"]));
  expect(reaching(objects)).toHaveLength(readers.length + 1);
  const without = ["url=", "existingSecret=", "cluster=", "ca.existingSecret="].map((each) => `clickhouse.${each}`);
  expect(reaching(await manifests(caseFile("everything"), "--set", without.join(",")))).toEqual([]);
});

test("only notifications and evaluation reach addresses outside the cluster, plus those allowed by values", () => {
  const blocks = (name: string) =>
    rules(name, "egress").flatMap(({ to }) => (to ?? []).flatMap(({ ipBlock }) => ipBlock?.cidr ?? []));
  const outgoing = ["notifications", "evaluation"];
  for (const name of processNames.filter((each) => !outgoing.includes(each))) expect(blocks(name)).toEqual([]);
  expect(new Set(blocks("evaluation"))).toEqual(new Set(["0.0.0.0/0", "2000::/3"]));
  expect(blocks("migrate")).toEqual([]);
  expect(new Set(blocks("notifications"))).toEqual(new Set(["0.0.0.0/0", "2000::/3", "10.7.0.0/16", "10.8.0.0/16"]));
});

test("name servers are asked at the ports that their pods have", async () => {
  const openShift = await manifests(caseFile("everything"), "--set", "networkPolicy.dnsPorts={53,5353}");
  for (const name of [...processNames, "doctor", "migrate", "test"]) {
    const [dns] = find(openShift, "NetworkPolicy", `ems-${name}`).spec.egress as Rule[];
    expect(dns?.ports.map(({ port }) => port)).toEqual([53, 53, 5353, 5353]);
  }
});

test("the network policy and the deliveries' own check agree on public addresses", async () => {
  const plain = await manifests(caseFile("plain-nats"));
  const policy = find(plain, "NetworkPolicy", "prod-ems-notifications").spec.egress as Rule[];
  const peers = policy.find(({ ports }) => ports.some(({ port }) => port === 443))?.to ?? [];
  const [inside, outside] = [new BlockList(), new BlockList()];
  for (const { ipBlock } of peers) {
    add(inside, ipBlock?.cidr ?? "");
    for (const cidr of ipBlock?.except ?? []) add(outside, cidr);
  }
  const isOpen = (address: string) => {
    const family = address.includes(":") ? "ipv6" : "ipv4";
    return inside.check(address, family) && !outside.check(address, family);
  };
  const { allows } = addressPolicy();
  const ranges = peers.flatMap(({ ipBlock }) => ipBlock?.except ?? []).filter((cidr) => !cidr.includes(":"));
  for (const address of [...ranges.flatMap(edges), ...addresses6]) {
    expect(isOpen(address), address).toBe(allows(address));
  }
  // A 6to4 address contains another address, which the policy cannot inspect: it blocks all of them.
  expect(isOpen("2002:808:808::1")).toBe(false);
});

function add(list: BlockList, cidr: string): void {
  const [address = "", bits] = cidr.split("/");
  list.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4");
}

/** Returns the first and last address of an IPv4 range, and the addresses just before and after it. */
function edges(cidr: string): string[] {
  const [address = "", bits] = cidr.split("/");
  const first = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const last = first + 2 ** (32 - Number(bits)) - 1;
  return [first - 1, first, last, last + 1]
    .filter((number) => number >= 0 && number < 2 ** 32)
    .map((number) => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join("."));
}

const addresses6 = [
  ...[
    "::1",
    "fe80::1",
    "fc00::1",
    "ff02::1",
    "1fff:ffff::1",
    "2000::1",
    "3ffe::1",
    "3fff::1",
    "3fff:fff::1",
    "4000::1",
  ],
  ...["2001::1", "2001:1ff:ffff::1", "2001:200::1", "2001:db7::1", "2001:db8::1", "2001:db8:ffff::1", "2001:db9::1"],
  ...["2620:4f:7fff::1", "2620:4f:8000::1", "2620:4f:8001::1", "2606:4700::1111", "2a00:1450::1"],
];
