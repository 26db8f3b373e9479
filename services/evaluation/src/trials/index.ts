import { type Mount, mount } from "@ems/kit/rpc/service";
import { DefinitionTrialService } from "@ems/proto/evaluation/v1/definition_trial_service";
import type { Deps } from "../deps.ts";
import { tryDefinition } from "./try-definition.ts";

export const definitionTrials = (deps: Deps): Mount =>
  mount(DefinitionTrialService, { tryDefinition: tryDefinition(deps) });
