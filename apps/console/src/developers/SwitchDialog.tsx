import type { Operation } from '@masthead/contract/kernel/operation'
import { useOperation } from '../api/query.ts'
import type { ButtonColor } from '../ui/Button.tsx'
import { Confirm } from '../ui/Confirm.tsx'
import { plain, toast } from '../ui/toast.ts'

/** What is done to a key or a webhook after a question: the title's verb, the button, what is said when it is done, and what follows from it. */
export type Switch = {
  operation: Operation
  title: string
  confirm: string
  color: ButtonColor
  done: string
  words: string
}

/** Asks before something that has a name is switched on, off or deleted. */
export function SwitchDialog({
  does: { operation, title, confirm, color, done, words },
  params,
  name,
  onClose,
  onDone,
}: {
  does: Switch
  /** Whose: the path parameters of the call. */
  params: Record<string, string>
  name: string
  onClose: () => void
  onDone?: (() => void) | undefined
}) {
  const mutation = useOperation(operation)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`${title} ${name}?`}
      confirm={confirm}
      color={color}
      loading={mutation.isPending}
      failure={mutation.error}
      onConfirm={() =>
        mutation.mutate({ params } as never, {
          onSuccess: () => {
            onClose()
            toast.success(`${done} ${plain(name)}`)
            onDone?.()
          },
        })
      }
    >
      <p>{words}</p>
    </Confirm>
  )
}
