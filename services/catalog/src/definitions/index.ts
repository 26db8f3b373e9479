import { type Mount, mount } from "@ems/kit/rpc/service";
import { DefinitionService } from "@ems/proto/catalog/v1/definition_service";
import type { Deps } from "../deps.ts";
import { createDefinition } from "./create-definition.ts";
import { getDefinition } from "./get-definition.ts";
import { linkApplication } from "./link-application.ts";
import { linkTasks } from "./link-tasks.ts";
import { linkTopics } from "./link-topics.ts";
import { listDefinitions } from "./list-definitions.ts";
import { unlinkApplication } from "./unlink-application.ts";
import { unlinkTasks } from "./unlink-tasks.ts";
import { unlinkTopics } from "./unlink-topics.ts";
import { updateDefinition } from "./update-definition.ts";

export { linkedApplication } from "./application.ts";
export { batchGetJudgeDefinitions } from "./batch-get-judge-definitions.ts";
export { batchGetReferences } from "./batch-get-references.ts";
export { EvalDefinitionEntity } from "./entity.ts";
export { getDraftJudgeDefinition } from "./get-draft-judge-definition.ts";
export {
  type DefinitionSpec,
  type FoundDefinition,
  resolveDefinitions,
  similarDefinitions,
  specFault,
} from "./imported-definitions.ts";
export { type Expectation, expectation, linkConfig } from "./link-config.ts";
export { linkImportedTasks } from "./link-imported-tasks.ts";
export { definitionsById, linkNewTasks } from "./link-new-tasks.ts";
export { linksOfTasks, linksOfTopics } from "./list-links.ts";
export { type DefinitionLink, evalDefinition, taskEvalDefinition, topicEvalDefinition } from "./messages.ts";

export const definitions = (deps: Deps): Mount =>
  mount(DefinitionService, {
    listDefinitions: listDefinitions(deps),
    createDefinition: createDefinition(deps),
    getDefinition: getDefinition(deps),
    updateDefinition: updateDefinition(deps),
    linkApplication: linkApplication(deps),
    unlinkApplication: unlinkApplication(deps),
    linkTopics: linkTopics(deps),
    unlinkTopics: unlinkTopics(deps),
    linkTasks: linkTasks(deps),
    unlinkTasks: unlinkTasks(deps),
  });
