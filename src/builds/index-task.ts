import { actorOf, type BuildFacts, type NewIndexTask } from '../database/repositories/build-acceptance-repository.js';
import type { BuildSpec } from '../domain/build-spec.js';
import { Stage } from '../domain/task/stage.js';
import { priorityByType } from '../domain/task/task-priority.js';

/** Facts of a document that passed the four checks. */
export type ReadyFacts = BuildFacts & { readonly plan: NonNullable<BuildFacts['plan']> };

/** Gives the frozen spec of a build: all that changes what it writes. */
export type FreezeSpec = (facts: ReadyFacts) => BuildSpec;

/** The task that builds a document as it was judged. */
export function indexTask(
  { documentId, knowledgeBaseId, plan }: ReadyFacts,
  own: Omit<
    NewIndexTask,
    'documentId' | 'knowledgeBaseId' | 'strategySnapshot' | 'currentStage' | 'triggerSource' | 'priority' | 'stages'
  >,
): NewIndexTask {
  return {
    ...own,
    documentId,
    knowledgeBaseId,
    strategySnapshot: plan.strategySnapshot,
    currentStage: Stage.ChunkExecute,
    priority: priorityByType(own.taskType),
    triggerSource: actorOf(own.operatorId),
  };
}
