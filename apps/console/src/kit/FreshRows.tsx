import { ArrowUp } from 'lucide-react'
import { Button } from '../ui/Button.tsx'

/** "3 new": what came while one reads, and the way to see it. */
export const FreshRows = ({ count, onTake }: { count: number; onTake: () => void }) => (
  <span role="status">
    {count > 0 && (
      <Button size="small" icon={ArrowUp} onClick={onTake}>
        {count.toLocaleString('en')} new
        <span className="sr-only">, show them</span>
      </Button>
    )}
  </span>
)
