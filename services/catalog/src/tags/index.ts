import { type Mount, mount } from "@ems/kit/rpc/service";
import { TagService } from "@ems/proto/catalog/v1/tag_service";
import type { Deps } from "../deps.ts";
import { archiveTag } from "./archive-tag.ts";
import { createTag } from "./create-tag.ts";
import { getTag } from "./get-tag.ts";
import { listTags } from "./list-tags.ts";
import { listTaskTags } from "./list-task-tags.ts";
import { setTaskTags } from "./set-task-tags.ts";
import { tagTasks } from "./tag-tasks.ts";
import { untagTasks } from "./untag-tasks.ts";
import { updateTag } from "./update-tag.ts";

export { TagEntity, type TagRow } from "./entity.ts";
export { linkedTags } from "./list-task-tags.ts";
export { tag } from "./messages.ts";
export { tagImportedTasks } from "./tag-imported-tasks.ts";
export { tagNewTasks } from "./tag-new-tasks.ts";
export { tagsOfTasks } from "./tags-of-tasks.ts";

export const tags = (deps: Deps): Mount =>
  mount(TagService, {
    listTags: listTags(deps),
    createTag: createTag(deps),
    getTag: getTag(deps),
    updateTag: updateTag(deps),
    archiveTag: archiveTag(deps),
    tagTasks: tagTasks(deps),
    untagTasks: untagTasks(deps),
    setTaskTags: setTaskTags(deps),
    listTaskTags: listTaskTags(deps),
  });
