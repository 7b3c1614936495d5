/// <reference types="node" />
import { readFileSync } from 'node:fs'
import type { Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle
type Row = { path: string; isPublic: boolean; module: string }

/** What a screen asks as soon as it is there, whoever looks at it and whatever else its address says. */
const asksOf = ({ path, isPublic }: Row): string[] => {
  if (path === '/login') return ['/auth/user_info', '/auth/setup']
  if (isPublic) return []
  return ['/auth/user_info', '/account', ...(path === '/' ? ['/overview?range=month'] : [])]
}

/** The rows of all screens, by their text: the lists themselves import React. */
const screenRows = ['customer', 'device', 'staff', 'public']
  .map((whose) => readFileSync(new URL(`./src/${whose}-screens.ts`, import.meta.url), 'utf8'))
  .join('')

function readRows(): Row[] {
  return [...screenRows.matchAll(/\bpath: '([^']+)'([^{}]*?)import\('\.\/([^']+)'\)/g)].map(([, path, between, module]) => ({
    path: path!,
    isPublic: /\bpublic: true/.test(between!),
    module: module!,
  }))
}

/**
 * Which files each screen needs beside those that the page names itself, for `before-paint.ts`, which fetches them and asks the first questions
 * while the console is on its way.
 */
export function screenFiles(bundle: Bundle, entry: string): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const importsOf = (fileName: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(fileName)) return seen
    seen.add(fileName)
    for (const next of byName.get(fileName)?.imports ?? []) importsOf(next, seen)
    return seen
  }
  const known = importsOf(chunks.find(({ name, isEntry }) => isEntry && name === entry)!.fileName)
  const files: string[] = []
  const indexOf = (name: string) => (files.includes(name) ? files.indexOf(name) : files.push(name) - 1)
  const rows = readRows()
  const screens = rows.map((row) => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/${row.module}`)))
    if (!chunk) throw new Error(`No chunk has the screen ${row.module}`)
    const needed = [...importsOf(chunk.fileName)].filter((name) => !known.has(name))
    return [row.path, needed.map(indexOf), asksOf(row)] as const
  })
  return JSON.stringify({ files, screens })
}
