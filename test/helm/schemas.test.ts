// Checks the rendered chart against the Kubernetes API's schemas of several versions (schemas/).

import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { kubernetesSecrets } from "@ems/deploy/new-secrets";
import { Ajv2019 } from "ajv/dist/2019.js";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { caseFile, type Manifest, manifests, valuesFiles } from "./render.ts";
import { kindsOfKubernetes, newestVersions, oldestVersion } from "./schemas/kinds.ts";

const rendered = new Map<string, readonly Manifest[]>();
for (const file of valuesFiles) rendered.set(file, await manifests(file));

/** Returns a function that lists the schema violations of an object; kinds of other APIs have no schema here. */
function getFaults(version: string): (manifest: Manifest) => string[] {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, `schemas/kubernetes-${version}.json`), "utf8"));
  const ajv = new Ajv2019({ strict: false });
  ajv.addSchema(schema, "kubernetes");
  return (manifest) => {
    const found = kindsOfKubernetes.find(
      ({ apiVersion, kind }) => manifest.apiVersion === apiVersion && manifest.kind === kind,
    );
    if (found === undefined) return [];
    const isValid = ajv.getSchema(`kubernetes#/$defs/${found.definition}`);
    if (isValid?.(manifest)) return [];
    const errors = (isValid?.errors ?? []).map(
      (each) => `${each.instancePath} ${each.message} ${JSON.stringify(each.params)}`,
    );
    return [`${manifest.kind} ${manifest.metadata.name}: ${errors.join("; ")}`];
  };
}

test.each([...newestVersions, oldestVersion])(
  "Kubernetes %s knows each field of each manifest, and its type",
  (version) => {
    const faults = getFaults(version);
    // Native sidecars exist since Kubernetes 1.28.
    const files = valuesFiles.filter((file) => version !== oldestVersion || basename(file) !== "sidecars.yaml");
    expect(files.flatMap((file) => (rendered.get(file) ?? []).flatMap(faults))).toEqual([]);
    const names = { prefix: "ems", namespace: "ems", databaseUrl: "postgres://db/ems", rolePrefix: "" };
    const secrets = parseAllDocuments(kubernetesSecrets(names)).map((document) => document.toJS() as Manifest);
    expect(secrets).toHaveLength(3);
    expect(secrets.flatMap(faults)).toEqual([]);
  },
);

test("the schemas find a field that does not exist, one of another type, and one that is missing", async () => {
  const service = (await manifests(caseFile("minimal"))).find(({ kind }) => kind === "Service");
  if (service === undefined) throw new Error("There is no Service.");
  for (const version of newestVersions) {
    const faults = (spec: object) => getFaults(version)({ ...service, spec: { ...service.spec, ...spec } });
    expect(faults({})).toEqual([]);
    expect(faults({ sourceRanges: [] })).toEqual([expect.stringContaining("sourceRanges")]);
    expect(faults({ loadBalancerSourceRanges: "10.0.0.0/8" })).toEqual([expect.stringContaining("must be array")]);
    expect(faults({ ports: [{ name: "http" }] })).toEqual([expect.stringContaining("'port'")]);
    expect(faults({ externalTrafficPolicy: null })).toHaveLength(1);
  }
});

test("every kind that the chart renders has a schema, there or in a package", () => {
  const thirdParty = ["gateway.networking.k8s.io", "keda.sh", "monitoring.coreos.com"];
  const unknown = [...rendered.values()]
    .flat()
    .filter(
      ({ apiVersion, kind, metadata }) =>
        metadata.labels?.["app.kubernetes.io/part-of"] === "ems" &&
        !thirdParty.includes(apiVersion.split("/")[0] ?? "") &&
        !kindsOfKubernetes.some((each) => each.apiVersion === apiVersion && each.kind === kind),
    );
  expect(unknown.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([]);
});
