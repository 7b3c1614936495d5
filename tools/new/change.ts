import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Refused } from './words.ts'

/** A change of the checkout, written as a whole once all of it could be made. Paths begin at the top of the checkout. */
export class Change {
  readonly #root: string
  readonly #texts = new Map<string, string>()

  constructor(root: string) {
    this.#root = root
  }

  has(path: string): boolean {
    return this.#texts.has(path) || existsSync(join(this.#root, path))
  }

  read(path: string): string {
    const text = this.#texts.get(path)
    if (text !== undefined) return text
    if (!this.has(path)) throw new Refused(`There is no ${path}`)
    return readFileSync(join(this.#root, path), 'utf8')
  }

  create(path: string, text: string): void {
    if (this.has(path)) throw new Refused(`${path} is there already`)
    this.#texts.set(path, text)
  }

  /** Puts text in front of the first place after `from` where `before` stands. */
  insert(path: string, { from = '', before }: { from?: string; before: string }, text: string): void {
    const was = this.read(path)
    const start = was.indexOf(from)
    const at = start < 0 ? -1 : was.indexOf(before, start + from.length)
    if (at < 0) throw new Refused(`${path} has no place for ${text.trim().split('\n')[0]}: write it there yourself`)
    this.#texts.set(path, was.slice(0, at) + text + was.slice(at))
  }

  /** Puts one more at the end of the list that begins with `from` and is the last of its file. */
  addToList(path: string, from: string, item: string): void {
    const was = this.read(path)
    const end = was.lastIndexOf(']')
    if (!was.includes(from) || end < 0) throw new Refused(`${path} has no ${from} to add to`)
    const before = was.slice(0, end).trimEnd()
    this.#texts.set(path, `${before}${/[,[]$/.test(before) ? '' : ','}\n  ${item},\n${was.slice(end)}`)
  }

  append(path: string, text: string): void {
    this.#texts.set(path, `${this.read(path).trimEnd()}\n\n${text}`)
  }

  /** `what` as it stands between `import` and `from`: `{ page, type Page }`, `* as ops`. Names are added to an import that is there. */
  addImport(path: string, what: string, from: string): void {
    const text = this.read(path)
    const line = new RegExp(`^import (type )?\\{([^}]*)\\} from '${from.replaceAll(/[.*+?^$()|[\]\\/]/g, '\\$&')}'$`, 'm')
    const there = line.exec(text)
    const names = /^\{(.*)\}$/s.exec(what)?.[1]
    if (there && names) {
      const has = there[2]!.split(',').map((name) => name.trim())
      const more = names.split(',').map((name) => name.trim())
      const all = [...new Set([...has, ...more])].filter(Boolean).join(', ')
      if (!there[1]) this.#texts.set(path, text.replace(there[0], `import { ${all} } from '${from}'`))
      else if (more.some((name) => !has.includes(name)))
        this.#texts.set(path, text.replace(there[0], `${there[0]}\nimport ${what} from '${from}'`))
      return
    }
    const statement = `import ${what} from '${from}'\n`
    if (text.includes(statement)) return
    // Packages first, then what is near.
    const imports = [...text.matchAll(/^import [^;]*?from '([^']+)'\n/gm)]
    const next = imports.find((each) => !from.startsWith('.') && each[1]!.startsWith('.'))
    const last = imports.at(-1)
    const at = next ? next.index : last ? last.index + last[0].length : 0
    this.#texts.set(path, text.slice(0, at) + statement + text.slice(at))
  }

  /** What it adds or changes. */
  paths(): string[] {
    return [...this.#texts.keys()]
  }

  /** Writes everything; the paths. */
  save(): string[] {
    for (const [path, text] of this.#texts) {
      mkdirSync(dirname(join(this.#root, path)), { recursive: true })
      writeFileSync(join(this.#root, path), text)
    }
    return this.paths()
  }
}
