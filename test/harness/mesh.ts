import type { TestProject } from "vitest/node";
import { provideProduct } from "./shape.ts";

export default (project: TestProject) => provideProduct("mesh", project);
