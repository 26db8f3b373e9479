// The pages of the menu, the palette and the shortcuts. A page that is not there has no entry.

import type { LinkProps } from "@tanstack/react-router";
import {
  BookCheck,
  BrainCircuit,
  ChartColumn,
  CircleAlert,
  CirclePlay,
  ClipboardCheck,
  Eraser,
  FileSearch,
  FileText,
  FlaskConical,
  Gavel,
  HeartPulse,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Network,
  PenLine,
  Rocket,
  Scale,
  ScrollText,
  Send,
  Shapes,
  TestTubes,
  UserRoundCheck,
  Users,
  Webhook,
} from "lucide-react";

export interface PageEntry {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: LucideIcon;
  /** After `g`. */
  readonly key: string;
  readonly section: string;
}

export const pages: readonly PageEntry[] = [
  { to: "/", label: "Overview", icon: LayoutDashboard, key: "o", section: "Results" },
  { to: "/runs", label: "Runs", icon: CirclePlay, key: "r", section: "Results" },
  { to: "/tests", label: "Tests", icon: FlaskConical, key: "s", section: "Results" },
  { to: "/traces", label: "Traces", icon: Network, key: "a", section: "Results" },
  { to: "/reports", label: "Reports", icon: ChartColumn, key: "p", section: "Results" },
  { to: "/reviews", label: "Review queues", icon: ClipboardCheck, key: "v", section: "Results" },
  { to: "/issues", label: "Issues", icon: CircleAlert, key: "n", section: "Results" },
  { to: "/topics", label: "Topics", icon: Shapes, key: "t", section: "Plan" },
  { to: "/tasks", label: "Tasks", icon: ListChecks, key: "k", section: "Plan" },
  { to: "/documents", label: "Documents", icon: FileText, key: "d", section: "Plan" },
  { to: "/document-tests", label: "Document tests", icon: FileSearch, key: "l", section: "Plan" },
  { to: "/quickstarts", label: "Quickstarts", icon: Rocket, key: "q", section: "Plan" },
  { to: "/definitions", label: "Definitions", icon: Gavel, key: "f", section: "Plan" },
  { to: "/style-guides", label: "Style guides", icon: PenLine, key: "y", section: "Plan" },
  { to: "/facts", label: "Facts", icon: BookCheck, key: "c", section: "Plan" },
  { to: "/experiments", label: "Experiments", icon: TestTubes, key: "x", section: "Plan" },
  { to: "/webhook", label: "Webhook", icon: Webhook, key: "w", section: "Operate" },
  { to: "/deliveries", label: "Deliveries", icon: Send, key: "e", section: "Operate" },
  { to: "/settings/keys", label: "API keys", icon: KeyRound, key: "i", section: "Settings" },
  { to: "/settings/models", label: "Models", icon: BrainCircuit, key: "m", section: "Settings" },
  { to: "/settings/evaluation", label: "Evaluation", icon: Scale, key: "b", section: "Settings" },
  { to: "/settings/members", label: "Members", icon: UserRoundCheck, key: "z", section: "Settings" },
  { to: "/settings/people", label: "People", icon: Users, key: "u", section: "Settings" },
  { to: "/settings/audit-log", label: "Audit log", icon: ScrollText, key: "j", section: "Settings" },
  { to: "/settings/erasures", label: "Erasures", icon: Eraser, key: "0", section: "Settings" },
  { to: "/settings/health", label: "Health", icon: HeartPulse, key: "h", section: "Settings" },
];
