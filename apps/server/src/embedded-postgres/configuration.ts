import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PostgresHome } from './home.ts'

/** Ours first, then the operator's own file, then what ALTER SYSTEM wrote. */
export function configuration(home: PostgresHome, parameters: Record<string, string | number>): string {
  const lines = Object.entries(parameters).map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'`)
  if (existsSync(join(home.dir, 'own.conf'))) lines.push("include = 'own.conf'")
  return ['# Written at every start. Put your own settings into own.conf beside this file.', ...lines, ''].join('\n')
}

/** By rename, as the file may belong to another user who started us before. */
export function replaceFile(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o644 })
  renameSync(`${path}.new`, path)
}
