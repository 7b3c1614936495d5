import { RotateCw } from 'lucide-react'
import { useRouteError } from 'react-router'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/** Shown in place of a screen that could not be loaded or drawn. */
export function ErrorScreen() {
  const error = useRouteError()
  const chunk = error instanceof Error && error.name === 'ChunkLoadError'
  return (
    <div role="alert" className="grid min-h-80 flex-1 place-items-center">
      <EmptyState
        title={chunk ? 'This screen could not be loaded' : 'This screen stopped working'}
        actions={
          <Button icon={RotateCw} onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        {chunk
          ? 'The connection was lost, or a new version was installed. Reload to get it; nothing you saved is lost.'
          : 'The mistake is on our side. Reload to go on; nothing you saved is lost.'}
        {error instanceof Error && !chunk && <span className="mono mt-2 block text-xs text-fg-3">{error.message}</span>}
      </EmptyState>
    </div>
  )
}
