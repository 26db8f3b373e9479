// Words with a meaning, in the same colours everywhere. Colour is never alone: the word says the same.

import { Badge, type BadgeProps } from "@mantine/core";
import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import { words } from "./format.ts";

const colours: Readonly<Record<string, BadgeProps["color"]>> = {
  ACTIVE: "teal",
  COMPLETED: "teal",
  APPROVED: "teal",
  SUCCEEDED: "teal",
  HIGH: "teal",
  FAILED: "red",
  DEAD: "red",
  error: "red",
  timeout: "red",
  IN_PROGRESS: "accent",
  PENDING: "accent",
};

export function Status({ value }: { value: string | null | undefined }) {
  return (
    <Badge variant="light" size="sm" radius="sm" color={colours[value ?? ""] ?? "gray"} tt="none" fw={500}>
      {words(value)}
    </Badge>
  );
}

/** Whether it passed; a dash where that was not evaluated. */
export function Passed({ value }: { value: boolean | null | undefined }) {
  const [Icon, label, color] =
    value == null
      ? ([CircleDashed, "No result", "var(--mantine-color-dimmed)"] as const)
      : value
        ? ([CircleCheck, "Passed", "var(--ems-good)"] as const)
        : ([CircleX, "Not passed", "var(--ems-bad)"] as const);
  return (
    <span style={{ display: "inline-flex", alignItems: "center", gap: 5, color, whiteSpace: "nowrap" }}>
      <Icon size={14} aria-hidden />
      {label}
    </span>
  );
}
