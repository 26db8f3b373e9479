// Kubernetes versions and kinds that have schemas in this folder.

export const newestVersions = ["1.37", "1.36", "1.35"];
/** Oldest version that the chart supports: `kubeVersion` of Chart.yaml. */
export const oldestVersion = "1.27";

/** Kubernetes' own kinds that the chart renders, and the definitions of their schemas. */
export const kindsOfKubernetes = [
  ["v1", "ConfigMap", "core.v1"],
  ["v1", "Pod", "core.v1"],
  ["v1", "Secret", "core.v1"],
  ["v1", "Service", "core.v1"],
  ["v1", "ServiceAccount", "core.v1"],
  ["apps/v1", "Deployment", "apps.v1"],
  ["autoscaling/v2", "HorizontalPodAutoscaler", "autoscaling.v2"],
  ["batch/v1", "CronJob", "batch.v1"],
  ["batch/v1", "Job", "batch.v1"],
  ["networking.k8s.io/v1", "Ingress", "networking.v1"],
  ["networking.k8s.io/v1", "NetworkPolicy", "networking.v1"],
  ["policy/v1", "PodDisruptionBudget", "policy.v1"],
].map(([apiVersion, kind, group]) => ({ apiVersion, kind, definition: `io.k8s.api.${group}.${kind}` }));
