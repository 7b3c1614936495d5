import type { Inspected } from '../engine/engine.ts'

/**
 * How long containers have run since they were seen to run. Not by when the engine started them: the clock of a device may jump by years once it
 * has network, and a container that just began would count as one that holds.
 */
export function watchRuns(clock: () => number = () => performance.now()) {
  let runs = new Map<string, { started: string; since: number }>()
  return {
    /** What is there now; a start is another run. All others are forgotten. */
    see(all: readonly Pick<Inspected, 'Id' | 'State'>[]): void {
      const now = clock()
      runs = new Map(
        all
          .filter(({ State }) => State.Status === 'running')
          .map(({ Id, State: { StartedAt: started } }) => {
            const before = runs.get(Id)
            return [Id, before?.started === started ? before : { started, since: now }]
          })
      )
    },
    /** ms; 0 of one that does not run. */
    ranFor: (id: string): number => clock() - (runs.get(id)?.since ?? clock()),
  }
}
