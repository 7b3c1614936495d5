import { lastLinesMark } from '@masthead/contract/devices/agent/container'
import type { Step } from '@masthead/contract/devices/agent/plan'
import type { Engine, RegistryLogin } from '../engine/engine.ts'
import { EngineTrouble } from '../engine/request.ts'
import type { KeptNotes, Notes } from '../notes.ts'

type With = {
  engine: Engine
  notes: KeptNotes
  loginFor: (image: string) => Promise<RegistryLogin | null>
  signal: AbortSignal
  made: Map<string, string>
  now: () => Date
  onPercent?: (percent: number) => void
}

/** Does one step. What no engine remembers is noted after it is done: after a crash in between it is done once more, which changes nothing. */
export async function carryOut(step: Step, { engine, notes, loginFor, signal, made, now, onPercent }: With): Promise<void> {
  switch (step.do) {
    case 'pull': {
      const { image, generation } = step.wanted
      // An image that was made on the device is in no registry.
      if (!image.startsWith('localhost/') || !(await isThere(engine, image)))
        // Where our server says nothing, another's images come all the same; what the registry then says of its own is reported.
        await engine.pull(image, { login: await loginFor(image).catch(() => null), signal, onPercent })
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
    // Noted first: stopped without a note it would be one that nobody needs.
    case 'set_aside':
      keep(notes, step.name, { id: step.id, generation: step.generation, failed: null })
      return engine.stop(step.id)
    case 'give_up': {
      const words = `${step.words}${await lastLines(engine, step.id)}`
      return keep(notes, step.name, { id: step.kept, generation: step.generation, failed: { words, at: now().toISOString() } })
    }
    case 'start':
    case 'stop':
    case 'unpause':
    case 'remove':
      return engine[step.do](step.id)
  }
}

const keep = (notes: KeptNotes, name: string, kept: Notes['kept'][string]) => notes.change({ kept: { ...notes.get().kept, [name]: kept } })

/** What a container said at its end: its log goes with it. */
async function lastLines(engine: Engine, id: string): Promise<string> {
  const lines = await engine.logs(id, 5).catch(() => [])
  const text = lines.map((each) => each.text).join('\n')
  return text === '' ? '' : `${lastLinesMark}${text.slice(-350)}`
}

const isThere = (engine: Engine, image: string) =>
  engine.digestOf(image).then(
    () => true,
    () => false
  )
