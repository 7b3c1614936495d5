import { useEffect, useRef, useState } from 'react'
import { carryFile, type Carried, type FileProgress } from './carry-file.ts'

export type FileLine = FileProgress & { nth: number; way: Carried['way'] }

/** The files of one window on a terminal, the newest first. They end with the window. */
export function useFiles(at: { session: string; client: string } | null) {
  const [lines, setLines] = useState<readonly FileLine[]>([])
  const carried = useRef(new Map<number, ReturnType<typeof carryFile>>())
  const next = useRef(0)
  useEffect(() => {
    const all = carried.current
    return () => all.forEach((one) => one.cancel())
  }, [])
  return {
    lines,
    begin(what: Carried) {
      if (!at) return
      const nth = next.current++
      const change = (changed: Partial<FileProgress>) =>
        setLines((before) => before.map((line) => (line.nth === nth ? { ...line, ...changed } : line)))
      const name = what.way === 'up' ? what.file.name : what.path
      const of = what.way === 'up' ? what.file.size : null
      setLines((before) => [{ nth, way: what.way, phase: 'going', name, path: what.path, at: 0, of, words: '', sha256: '' }, ...before])
      carried.current.set(nth, carryFile(at, what, change))
    },
    cancel: (nth: number) => carried.current.get(nth)?.cancel(),
  }
}
