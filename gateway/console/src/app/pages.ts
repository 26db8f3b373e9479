// List of pages for the menu, the command palette and the shortcuts.

import { useQuery } from "@tanstack/react-query";
import type { LinkProps } from "@tanstack/react-router";
import {
  BookCheck,
  BrainCircuit,
  ChartColumn,
  CircleAlert,
  CircleDollarSign,
  CirclePlay,
  ClipboardCheck,
  CloudUpload,
  Eraser,
  EyeOff,
  FileSearch,
  FileText,
  FlaskConical,
  Gavel,
  HeartPulse,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
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
  Waypoints,
  Webhook,
} from "lucide-react";
import { getRefusal, type Operation } from "../session/permissions.ts";
import { sessionQuery } from "../session/session.ts";

export interface PageEntry {
  readonly to: NonNullable<LinkProps["to"]>;
  readonly label: string;
  readonly icon: LucideIcon;
  /** Key that opens the page when pressed after `g`. */
  readonly key: string;
  readonly section: string;
  /** API operation without which the page has no content. */
  readonly reads?: Operation;
}

const pages: readonly PageEntry[] = [
  { to: "/", label: "Overview", icon: LayoutDashboard, key: "o", section: "Results" },
  { to: "/runs", label: "Runs", icon: CirclePlay, key: "r", section: "Results", reads: "GET /v0/runs" },
  { to: "/tests", label: "Tests", icon: FlaskConical, key: "s", section: "Results", reads: "GET /v0/tests" },
  { to: "/traces", label: "Traces", icon: Network, key: "a", section: "Results", reads: "GET /v0/traces" },
  {
    to: "/sessions",
    label: "Sessions",
    icon: MessagesSquare,
    key: "2",
    section: "Results",
    reads: "GET /v0/sessions",
  },
  {
    to: "/reports",
    label: "Reports",
    icon: ChartColumn,
    key: "p",
    section: "Results",
    reads: "POST /v0/reporting/query",
  },
  {
    to: "/reviews",
    label: "Review queues",
    icon: ClipboardCheck,
    key: "v",
    section: "Results",
    reads: "GET /v0/human-annotation-queues",
  },
  { to: "/issues", label: "Issues", icon: CircleAlert, key: "n", section: "Results", reads: "GET /v0/issues" },
  { to: "/topics", label: "Topics", icon: Shapes, key: "t", section: "Plan", reads: "GET /v0/topics" },
  { to: "/tasks", label: "Tasks", icon: ListChecks, key: "k", section: "Plan", reads: "GET /v0/tasks" },
  { to: "/documents", label: "Documents", icon: FileText, key: "d", section: "Plan", reads: "GET /v0/documents" },
  {
    to: "/document-tests",
    label: "Document tests",
    icon: FileSearch,
    key: "l",
    section: "Plan",
    reads: "GET /v0/documents/tests",
  },
  { to: "/quickstarts", label: "Quickstarts", icon: Rocket, key: "q", section: "Plan", reads: "GET /v0/quickstarts" },
  { to: "/definitions", label: "Evaluators", icon: Gavel, key: "f", section: "Plan", reads: "GET /v0/definitions" },
  {
    to: "/style-guides",
    label: "Style guides",
    icon: PenLine,
    key: "y",
    section: "Plan",
    reads: "GET /v0/style-guides",
  },
  { to: "/facts", label: "Facts", icon: BookCheck, key: "c", section: "Plan", reads: "GET /v0/facts" },
  {
    to: "/experiments",
    label: "Experiments",
    icon: TestTubes,
    key: "x",
    section: "Plan",
    reads: "GET /v0/experiments",
  },
  { to: "/webhook", label: "Webhook", icon: Webhook, key: "w", section: "Operate", reads: "GET /v0/webhook" },
  {
    to: "/deliveries",
    label: "Deliveries",
    icon: Send,
    key: "e",
    section: "Operate",
    reads: "GET /v0/webhook/deliveries",
  },
  { to: "/settings/keys", label: "API keys", icon: KeyRound, key: "i", section: "Settings", reads: "GET /v0/api-keys" },
  {
    to: "/settings/models",
    label: "Models",
    icon: BrainCircuit,
    key: "m",
    section: "Settings",
    reads: "GET /v0/model-connections",
  },
  {
    to: "/settings/model-prices",
    label: "Model prices",
    icon: CircleDollarSign,
    key: "1",
    section: "Settings",
    reads: "GET /v0/model-prices",
  },
  {
    to: "/settings/evaluation",
    label: "Evaluation",
    icon: Scale,
    key: "b",
    section: "Settings",
    reads: "GET /v0/evaluation-settings",
  },
  {
    to: "/settings/members",
    label: "Members",
    icon: UserRoundCheck,
    key: "z",
    section: "Settings",
    reads: "GET /v0/members",
  },
  { to: "/settings/people", label: "People", icon: Users, key: "u", section: "Settings", reads: "GET /v0/users" },
  {
    to: "/settings/audit-log",
    label: "Audit log",
    icon: ScrollText,
    key: "j",
    section: "Settings",
    reads: "GET /v0/audit-log",
  },
  {
    to: "/settings/erasures",
    label: "Erasures",
    icon: Eraser,
    key: "0",
    section: "Settings",
    reads: "GET /v0/erasures",
  },
  {
    to: "/settings/redaction",
    label: "Redaction",
    icon: EyeOff,
    key: "g",
    section: "Settings",
    reads: "GET /v0/ingest-settings",
  },
  {
    to: "/settings/trace-paths",
    label: "Trace paths",
    icon: Waypoints,
    key: "3",
    section: "Settings",
    reads: "GET /v0/ingest-settings",
  },
  {
    to: "/settings/exports",
    label: "Exports",
    icon: CloudUpload,
    key: "4",
    section: "Settings",
    reads: "GET /v0/export-settings",
  },
  { to: "/settings/health", label: "Health", icon: HeartPulse, key: "h", section: "Settings", reads: "GET /v0/health" },
];

/** Returns the pages that the session may read. Other pages, if opened by a link, name the missing permission. */
export function usePages(): readonly PageEntry[] {
  const session = useQuery(sessionQuery).data?.data;
  return session == null ? pages : pages.filter(({ reads = [] }) => getRefusal(session, reads) === undefined);
}
