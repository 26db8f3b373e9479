// API requests of the task pages.

import { del, get, post, put, type Schemas } from "../api/request.ts";
import { type TaskSearch, taskQuery } from "./task-search.ts";

export type Task = Schemas["Task"];
export type ListedTask = Schemas["ListedTask"];

/** Paths to refresh after a task changes. */
export const refreshedByTasks = ["/v0/tasks", "/v0/topics", "/v0/reporting"] as const;

export const listTasks = (search: TaskSearch) => get("/v0/tasks", { params: { query: taskQuery(search) } });
export const getTask = (id: string) => get("/v0/tasks/{id}", { params: { path: { id } } });
export const createTask = (body: Schemas["CreateTaskRequest"]) => post("/v0/tasks", { body });
export const importTasks = (body: Schemas["ImportTasksRequest"]) => post("/v0/tasks/import", { body });
export const updateTask = ({ id, ...body }: { id: string } & Schemas["UpdateTaskRequest"]) =>
  put("/v0/tasks/{id}", { params: { path: { id } }, body });
export const archiveTask = (id: string) => post("/v0/tasks/{id}/archive", { params: { path: { id } } });
export const triggerTasks = (body: Schemas["TriggerTasksRequest"]) => post("/v0/tasks/trigger", { body });
export const getSchedule = (id: string) => get("/v0/tasks/{id}/schedule", { params: { path: { id } } });
export const putSchedule = ({ id, ...body }: { id: string } & Schemas["PutTaskScheduleRequest"]) =>
  put("/v0/tasks/{id}/schedule", { params: { path: { id } }, body });
export const deleteSchedule = (id: string) => del("/v0/tasks/{id}/schedule", { params: { path: { id } } });
