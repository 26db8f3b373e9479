import type { FunctionComponent } from "react";
import { sampleIngest } from "../traces/trace-requests.ts";
import { listPage } from "../ui/list-page.tsx";
import { sessionColumns } from "./session-columns.tsx";
import { listSessions } from "./session-requests.ts";
import { sessionUrl } from "./session-search.ts";

const SessionListPage: FunctionComponent = listPage({
  title: "Sessions",
  description: "Conversations, with the traces of their turns",
  url: sessionUrl,
  list: listSessions,
  columns: sessionColumns,
  filters: [
    { text: "search", label: "Search inputs and outputs" },
    { text: "externalId", label: "Session" },
    { text: "user", label: "End user" },
    "days",
    { flag: "hasError", label: "With errors" },
  ],
  empty: {
    title: "No sessions yet",
    text: "Send traces with a session: the span attribute session.id, or sessionId in the metadata.",
    request: sampleIngest,
  },
});
export default SessionListPage;
