// Uploads files one after another, so that a file that cannot be read does not hold up the others.

import { useRef, useState } from "react";
import { ApiError, messageOfError } from "../api/errors.ts";
import { useChange } from "../api/query.ts";
import { refreshedByDocuments, uploadDocuments } from "./document-requests.ts";
import type { FoundFile } from "./dropped-files.ts";

export interface Upload {
  readonly path: string;
  readonly file: File;
  readonly state: "WAITING" | "RUNNING" | "DONE" | "FAILED";
  /** Number of documents, or the error. */
  readonly outcome?: { readonly documents: number; readonly encoding: string | null } | { readonly error: string };
}

export interface UploadSettings {
  readonly documentType: string;
  readonly topicId: string | null;
}

/** Delays before a file is sent again, while other files of the application are being read. */
const retryDelaysMs = [500, 1_000, 2_000, 4_000, 8_000];

export function useUpload() {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = useChange(uploadDocuments, { refreshes: refreshedByDocuments });
  const isStopped = useRef(false);
  const update = (at: number, changed: Partial<Upload>) =>
    setUploads((before) => before.map((each, index) => (index === at ? { ...each, ...changed } : each)));

  const sendOne = async ({ path, file }: Upload, { documentType, topicId }: UploadSettings) => {
    const form = new FormData();
    form.append("documentType", documentType);
    if (topicId !== null) form.append("topicId", topicId);
    form.append("fileName", path);
    form.append("file", file, path);
    for (const delayMs of [...retryDelaysMs, undefined]) {
      try {
        return await change.mutateAsync(form);
      } catch (error) {
        if (delayMs === undefined || !(error instanceof ApiError && error.status === 429)) throw error;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
    throw new Error("unreachable");
  };

  return {
    uploads,
    isRunning: uploads.some(({ state }) => state === "RUNNING"),
    choose: (files: readonly FoundFile[]) => setUploads(files.map((each) => ({ ...each, state: "WAITING" }))),
    stop: () => {
      isStopped.current = true;
    },
    /** Sends the files that were not uploaded yet. */
    start: async (settings: UploadSettings) => {
      isStopped.current = false;
      for (const [at, upload] of uploads.entries()) {
        if (upload.state === "DONE" || isStopped.current) continue;
        update(at, { state: "RUNNING" });
        try {
          const { files } = await sendOne(upload, settings);
          const [read] = files;
          const outcome = { documents: read?.documents ?? 0, encoding: read?.encoding ?? null };
          update(at, { state: "DONE", outcome });
        } catch (error) {
          update(at, { state: "FAILED", outcome: { error: explain(error) } });
        }
      }
    },
  };
}

/** Returns the issue of the file, which is more precise than the error's message. */
function explain(error: unknown): string {
  const [issue] = error instanceof ApiError ? error.issues : [];
  return issue?.message ?? messageOfError(error);
}
