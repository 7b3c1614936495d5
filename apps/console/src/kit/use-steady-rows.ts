import { useReducer, useRef } from 'react'
import { lastWrite } from '../api/client.ts'
import { steadyRows } from './steady-rows.ts'

type Asked<Row, Answer> = {
  /** Of the answer; undefined while there is none, or where the list is not kept up to date. */
  rows: Row[] | undefined
  answer?: Answer | undefined
  rowId: (row: Row) => string
  /** What was asked; null while the answer is of the question before. */
  question: string | null
  /** A newer answer is on its way. */
  fetching: boolean
  /** When the answer came, in milliseconds. */
  updatedAt: number
}

/**
 * The rows to show of a list that is kept up to date: the server's order on entry, after another question and after a write of one's own; then what is
 * there stays in its place, and `fresh` rows wait until they are taken. `seen`: the newest answer of which all rows are shown.
 */
export function useSteadyRows<Row, Answer>({ rows, answer, rowId, question, fetching, updatedAt }: Asked<Row, Answer>) {
  const shown = useRef<{ question: string | null; rows: Row[]; settled: boolean; at: number; seen: Answer | undefined } | null>(null)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  if (!rows || question === null) return { rows, fresh: 0, seen: answer, take: () => {} }
  const before = shown.current
  const wrote = before !== null && lastWrite.at > before.at && updatedAt >= lastWrite.at
  const held = before?.question === question && before.settled && !wrote ? before : null
  const { rows: steady, fresh } = held ? steadyRows(held.rows, rows, rowId) : { rows, fresh: 0 }
  const seen = held && fresh > 0 ? held.seen : answer
  shown.current = { question, rows: steady, settled: held !== null || !fetching, at: held?.at ?? updatedAt, seen }
  const take = () => {
    shown.current = null
    draw()
  }
  return { rows: steady, fresh, seen, take }
}
