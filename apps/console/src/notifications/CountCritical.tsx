import { useQuery } from '@tanstack/react-query'
import { getSummary } from '@masthead/contract/notifications/operations'
import { useEffect } from 'react'
import { q } from '../api/query.ts'

/** Keeps saying how many critical alerts are open. It shows nothing itself. */
export function CountCritical({ onCount }: { onCount: (count: number) => void }) {
  const { data } = useQuery(q(getSummary, {}))
  const count = data?.open.critical ?? 0
  useEffect(() => onCount(count), [count, onCount])
  return null
}
