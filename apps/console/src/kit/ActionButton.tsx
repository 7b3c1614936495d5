import { permissions, type Permission } from '@masthead/contract/kernel/permission'
import type { Input, Operation, Reply } from '@masthead/contract/kernel/operation'
import { Terminal, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useMay } from '../api/session.ts'
import { useOperation } from '../api/query.ts'
import { Button, type ButtonColor, type ButtonSize } from '../ui/Button.tsx'
import { Confirm, otherAnswer } from '../ui/Confirm.tsx'
import { toast } from '../ui/toast.ts'
import { copyAsCurl } from './copy-as-curl.ts'

// Every question of the console can be answered so: this file is loaded with whatever may ask one.
Object.assign(otherAnswer, {
  label: 'Copy as curl',
  icon: Terminal,
  instead: (act: () => void) => void copyAsCurl(act),
} satisfies typeof otherAnswer)

/** Why one may not, in words; null when one may. */
export const useDenied = (permission: Permission | undefined): string | null => {
  const allowed = useMay(permission)
  return allowed || !permission ? null : `You need the permission “${permissions[permission]}” for this`
}

/** A button for something that changes things: disabled with the reason when one may not (`permission`) or cannot now (`disabled`). */
export function ActionButton({ permission, disabled, ...rest }: Parameters<typeof Button>[0] & { permission?: Permission }) {
  const denied = useDenied(permission)
  return <Button {...rest} disabled={denied ?? disabled ?? null} />
}

/** A button that asks, then calls an operation: says it is done by toast, and why it failed in the question itself. */
export function ConfirmButton<Op extends Operation>({
  operation,
  input,
  permission,
  disabled,
  label,
  icon,
  color = 'secondary',
  size = 'medium',
  title,
  children,
  confirm = label,
  confirmColor = 'success',
  done,
  onDone,
}: {
  operation: Op
  input: Input<Op>
  permission?: Permission
  disabled?: boolean | string | null
  label: string
  icon?: LucideIcon
  color?: ButtonColor
  size?: ButtonSize
  /** The question. */
  title: string
  /** What it touches and what follows, in words. */
  children: ReactNode
  confirm?: string
  confirmColor?: ButtonColor
  /** Said by toast when it is done. */
  done?: string
  onDone?: (reply: Reply<Op>) => void
}) {
  const [open, setOpen] = useState(false)
  const mutation = useOperation(operation)
  const close = () => {
    setOpen(false)
    mutation.reset()
  }
  return (
    <>
      <ActionButton
        {...(permission && { permission })}
        disabled={disabled ?? null}
        {...(icon && { icon })}
        color={color}
        size={size}
        onClick={() => setOpen(true)}
      >
        {label}
      </ActionButton>
      <Confirm
        open={open}
        onClose={close}
        title={title}
        confirm={confirm}
        color={confirmColor}
        loading={mutation.isPending}
        error={mutation.error?.detail ?? null}
        onConfirm={() =>
          mutation.mutate(input, {
            onSuccess: (reply) => {
              close()
              if (done) toast.success(done)
              onDone?.(reply)
            },
          })
        }
      >
        {children}
      </Confirm>
    </>
  )
}
