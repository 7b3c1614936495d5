import type { Step } from '@masthead/contract/devices/agent/plan'
import type { Engine } from '../engine/engine.ts'
import { EngineTrouble } from '../engine/request.ts'
import type { KeptNotes } from '../notes.ts'

type With = { engine: Engine; notes: KeptNotes; signal: AbortSignal; made: Map<string, string> }

/** Does one step. What no engine remembers is noted after it is done: after a crash in between it is done once more, which changes nothing. */
export async function carryOut(step: Step, { engine, notes, signal, made }: With): Promise<void> {
  switch (step.do) {
    case 'pull': {
      const { image, generation } = step.wanted
      // An image that was made on the device is in no registry.
      if (!image.startsWith('localhost/') || !(await isThere(engine, image))) await engine.pull(image, signal)
      // It is not what is wanted any more: noted it would count for another wish.
      signal.throwIfAborted()
      return notes.change({ pulled: { ...notes.get().pulled, [step.name]: generation } })
    }
    case 'create':
      try {
        made.set(step.name, await engine.create(step.wanted))
      } catch (error) {
        // Somebody removed the image since: the next check pulls it again.
        if (error instanceof EngineTrouble && error.status === 404) {
          const { [step.name]: _, ...pulled } = notes.get().pulled
          notes.change({ pulled })
        }
        throw error
      }
      return
    case 'start_new':
      return engine.start(made.get(step.name)!)
    case 'restart':
      await engine.restart(step.id)
      return notes.change({ restarted: { ...notes.get().restarted, [step.name]: step.restart } })
    case 'start':
    case 'stop':
    case 'unpause':
    case 'remove':
      return engine[step.do](step.id)
  }
}

const isThere = (engine: Engine, image: string) =>
  engine.digestOf(image).then(
    () => true,
    () => false
  )
