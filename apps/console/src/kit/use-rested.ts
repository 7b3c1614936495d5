import { useEffect, useState } from 'react'

/** What was typed, after a short rest. */
export function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), 200)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
