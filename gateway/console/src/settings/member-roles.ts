// Labels and descriptions of roles.

import type { Role } from "./settings-requests.ts";

export const roles: Readonly<Record<Role, { readonly label: string; readonly may: string }>> = {
  OWNER: {
    label: "Owner",
    may: "everything, including members, keys, applications, erasures, deletion of traces, redaction, models and budgets",
  },
  EDITOR: { label: "Editor", may: "all other changes" },
  REVIEWER: { label: "Reviewer", may: "annotations, review queues, issues and quickstarts" },
  VIEWER: { label: "Viewer", may: "read only, without secrets" },
};

export const roleChoices = Object.entries(roles).map(([value, { label, may }]) => ({
  value,
  label: `${label}: ${may}`,
}));

export const isRole = (value: string | null): value is Role => value !== null && Object.hasOwn(roles, value);
