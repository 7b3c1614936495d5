import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Entity } from './entity.ts'

/**
 * All objects, in memory and in a file of JSON lines: each change is a line, and the last of an id counts. The file is written anew at the start.
 * A sandbox is small: nothing is ever taken out.
 */
export class Store {
  readonly #entities = new Map<string, Entity>()
  readonly #file: string | null

  constructor(file: string | null) {
    this.#file = file
    if (!file) return
    mkdirSync(dirname(file), { recursive: true })
    for (const line of existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []) {
      // A line that was cut off by the end of the process is the last one, and nobody was answered.
      const entity = parsed(line)
      if (entity) this.#entities.set(entity.id, entity)
    }
    const fresh = `${file}.new`
    writeFileSync(fresh, [...this.#entities.values()].map((entity) => `${JSON.stringify(entity)}\n`).join(''), { mode: 0o600 })
    renameSync(fresh, file)
  }

  put<Kept extends Entity>(entity: Kept): Kept {
    this.#entities.set(entity.id, entity)
    if (this.#file) appendFileSync(this.#file, `${JSON.stringify(entity)}\n`)
    return entity
  }

  find<Kind extends Entity>(object: Kind['object'], id: unknown): Kind | null {
    const entity = typeof id === 'string' ? this.#entities.get(id) : undefined
    return entity?.object === object ? (entity as Kind) : null
  }

  /** Newest first. */
  all<Kind extends Entity>(object: Kind['object']): Kind[] {
    return [...this.#entities.values()].filter((entity): entity is Kind => entity.object === object).reverse()
  }
}

function parsed(line: string): Entity | null {
  try {
    return line === '' ? null : (JSON.parse(line) as Entity)
  } catch {
    return null
  }
}
