// Other APIs' kinds that the chart or its examples may render, in minimal form; manifests.test.ts has their schemas.

const kinds = [
  ["monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors"],
  ["monitoring.coreos.com", "v1", "PrometheusRule", "prometheusrules"],
  ["gateway.networking.k8s.io", "v1", "HTTPRoute", "httproutes"],
  ["gateway.networking.k8s.io", "v1", "GRPCRoute", "grpcroutes"],
  ["external-secrets.io", "v1", "ExternalSecret", "externalsecrets"],
  ["keda.sh", "v1alpha1", "ScaledObject", "scaledobjects"],
] as const;

const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

export const definitions = kinds.map(([group, version, kind, plural]) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: {
    name: `${plural}.${group}`,
    // Groups in the domain of Kubernetes require this annotation.
    annotations: { "api-approved.kubernetes.io": "unapproved, for tests" },
  },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
  },
}));
