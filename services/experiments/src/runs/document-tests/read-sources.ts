// Reads the content of a document test from catalog, page by page, up to its limits.

import { type Call, forward } from "@ems/kit/rpc/call";
import { DocumentStatus } from "@ems/proto/catalog/v1/document_service";
import { TaskOrder, TaskState } from "@ems/proto/catalog/v1/task_service";
import { documentTestDocumentsMax, documentTestPassagesMax, documentTestTasksMax } from "@ems/proto/limits";
import { OrderDirection } from "@ems/proto/type/v1/order";
import type { Deps } from "../../deps.ts";
import type { Sources } from "./choose-questions.ts";
import type { DocumentTestRow } from "./entity.ts";
import type { Candidate } from "./question.ts";
import { SimilarTexts } from "./similar.ts";

const pageLimit = 100;
const taskLengthMax = 4_000;

export async function readSources(
  deps: Pick<Deps, "documents" | "tasks">,
  call: Call,
  type: DocumentTestRow["type"],
): Promise<Sources> {
  const [documents, tasks] = await Promise.all([
    readPassages(deps, call),
    type === "MECE" ? noTasks : readTasks(deps, call),
  ]);
  const { scope, ...read } = documents;
  return { ...read, ...tasks, scope: { ...scope, ...(tasks.scope && { tasks: tasks.scope }) } };
}

const noTasks = { tasks: [], taskWords: new SimilarTexts(), scope: undefined };

/** Reads passages of approved documents' active versions. */
async function readPassages({ documents: client }: Pick<Deps, "documents">, call: Call) {
  const status = [DocumentStatus.APPROVED, DocumentStatus.ACTIVE];
  const passages: Candidate[] = [];
  const passageWords = new SimilarTexts();
  const titles = new Map<string, string>();
  let total = 0;
  for (let isFull = false; !isFull; ) {
    const skip = BigInt(passages.length);
    const page = await client.listDocumentChunks({ status, skip, limit: pageLimit }, forward(call));
    total = Number(page.pagination?.total ?? 0);
    // Chunks of one document follow each other: if a document exceeds the limit, its remaining chunks are skipped.
    const fitting = page.data
      .slice(0, documentTestPassagesMax - passages.length)
      .filter(({ documentId, documentName }) => {
        if (!titles.has(documentId) && titles.size === documentTestDocumentsMax) return false;
        titles.set(documentId, documentName);
        return true;
      });
    for (const { documentId: id, documentName, title, content: text } of fitting) {
      passages.push({ id, title: title === documentName ? title : `${documentName}: ${title}`, text });
      passageWords.add(`${title}\n${text}`);
    }
    isFull = fitting.length < page.data.length || passages.length >= total || page.data.length === 0;
  }
  const documents = [...titles].map(([id, title]) => ({ id, title }));
  const isWhole = passages.length === total;
  const scope = {
    documents: { tested: documents.length, total: isWhole ? documents.length : null },
    passages: { tested: passages.length, total },
  };
  return { passages, passageWords, documents, scope };
}

/** Reads tasks with status ACTIVE, oldest first. */
async function readTasks({ tasks: client }: Pick<Deps, "tasks">, call: Call) {
  const order = { orderBy: TaskOrder.CREATED_AT, orderDir: OrderDirection.ASC };
  const tasks: Candidate[] = [];
  const taskWords = new SimilarTexts();
  for (;;) {
    const skip = BigInt(tasks.length);
    const request = { status: [TaskState.ACTIVE], ...order, skip, limit: pageLimit };
    const { data, pagination } = await client.listTasks(request, forward(call));
    for (const { id, title, description, inputExamples } of data) {
      const text = [description, ...inputExamples].join("\n").slice(0, taskLengthMax).toWellFormed();
      tasks.push({ id, title, text });
      taskWords.add(`${title}\n${text}`);
    }
    const total = Number(pagination?.total ?? 0);
    if (data.length > 0 && tasks.length < Math.min(total, documentTestTasksMax)) continue;
    return { tasks, taskWords, scope: { tested: tasks.length, total } };
  }
}
