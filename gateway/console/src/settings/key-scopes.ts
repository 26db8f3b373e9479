// What a key may do, as the contract lists it.

import type { NewApiKey } from "./settings-requests.ts";

export type Scope = NonNullable<NewApiKey["scopes"]>[number];

/** A new scope of the contract is missed here by the compiler. */
const all: Readonly<Record<Scope, true>> = {
  read: true,
  "annotation:read": true,
  "annotation:write": true,
  "api-key:read": true,
  "api-key:write": true,
  "app-config:read": true,
  "application:read": true,
  "application:write": true,
  "calibration:read": true,
  "calibration:write": true,
  "definition-trial:write": true,
  "definition:read": true,
  "definition:write": true,
  "delivery:read": true,
  "delivery:write": true,
  "document:read": true,
  "document:write": true,
  "evaluation-settings:read": true,
  "evaluation-settings:write": true,
  "evaluation:read": true,
  "evaluation:write": true,
  "event:read": true,
  "experiment:read": true,
  "experiment:write": true,
  "fact:read": true,
  "fact:write": true,
  "feedback:write": true,
  "health:read": true,
  "human-annotation-queue:read": true,
  "human-annotation-queue:write": true,
  "human-annotation:read": true,
  "human-annotation:write": true,
  "inference-step:read": true,
  "inference-step:write": true,
  "ingest:write": true,
  "issue:read": true,
  "issue:write": true,
  "model-connection:read": true,
  "model-connection:write": true,
  "otlp:read": true,
  "otlp:write": true,
  "quickstart:read": true,
  "quickstart:write": true,
  "reporting:read": true,
  "run:read": true,
  "run:write": true,
  "schedule:read": true,
  "schedule:write": true,
  "style-guide:read": true,
  "style-guide:write": true,
  "tag:read": true,
  "tag:write": true,
  "task:read": true,
  "task:write": true,
  "test:read": true,
  "test:write": true,
  "topic:read": true,
  "topic:write": true,
  "trace:read": true,
  "user:read": true,
  "variant:read": true,
  "variant:write": true,
  "webhook:read": true,
  "webhook:write": true,
};

export const isScope = (value: string): value is Scope => Object.hasOwn(all, value);
export const scopes = Object.keys(all).filter(isScope);

/** What keys are usually for. */
export const purposes = {
  everything: { label: "Everything", scopes: [] },
  read: { label: "Only read", scopes: ["read"] },
  telemetry: { label: "Only send telemetry", scopes: ["otlp:write", "ingest:write"] },
} as const satisfies Readonly<Record<string, { label: string; scopes: readonly Scope[] }>>;
