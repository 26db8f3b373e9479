// API requests of the document test pages.

import { get, post, type Schemas } from "../api/request.ts";
import { listUrl, parseMany, type SearchState } from "../url/list-url.ts";

export type DocumentTest = Schemas["DocumentTest"];

export const types = ["KNOWLEDGE_COVERAGE", "MECE", "DOCS_TO_TASKS_MAPPING"] as const;
export const statuses = ["PENDING", "IN_PROGRESS", "FAILED", "COMPLETED"] as const;

export const labels: Readonly<Record<(typeof types)[number], string>> = {
  KNOWLEDGE_COVERAGE: "Knowledge coverage",
  MECE: "Overlaps and contradictions",
  DOCS_TO_TASKS_MAPPING: "Documents to tasks",
};

export const documentTestUrl = listUrl(["createdAt", "modifiedAt", "type", "status"], {
  type: parseMany(types),
  status: parseMany(statuses),
});

export const refreshedByDocumentTests = ["/v0/documents/tests"] as const;

export const listDocumentTests = (search: SearchState<typeof documentTestUrl>) =>
  get("/v0/documents/tests", { params: { query: documentTestUrl.query(search) } });
export const getDocumentTest = (id: string) => get("/v0/documents/tests/{id}", { params: { path: { id } } });
export const triggerDocumentTest = (body: Schemas["TriggerDocumentTestRequest"]) =>
  post("/v0/documents/tests/trigger", { body });

/** Returns true while the test is pending or in progress. */
export const isRunning = ({ status }: DocumentTest) => status === "PENDING" || status === "IN_PROGRESS";

/** Reference to a document or a task. */
export interface Named {
  readonly id: string;
  readonly title: string;
}

interface Tested {
  readonly tested: number;
  readonly total: number;
}

/** Shape of the API field `results`. Its fields depend on the test's type. */
export interface Results {
  readonly scope?: Readonly<Record<string, Tested>>;
  readonly unanswered?: readonly { readonly subject: Named; readonly message: string }[];
  readonly score?: number;
  readonly results?: readonly {
    readonly task: Named;
    readonly coverage: number;
    readonly reasoning: string;
    readonly matchedDocuments: readonly Named[];
  }[];
  readonly unmappedDocuments?: readonly Named[];
  readonly pairs?: readonly {
    readonly documentA: Named;
    readonly documentB: Named;
    readonly overlap: number;
    readonly reasoning: string;
    readonly contradictions: readonly { readonly id: string; readonly quickstartId: string; readonly reason: string }[];
  }[];
  readonly documents?: readonly {
    readonly document: Named;
    readonly tasks: readonly Named[];
    readonly reasoning: string;
  }[];
  readonly documentsWithoutTasks?: readonly Named[];
  readonly tasksWithoutDocuments?: readonly Named[];
}

export const readResults = ({ results }: DocumentTest): Results | null => results as Results | null;
