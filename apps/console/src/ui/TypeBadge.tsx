import { Box, CardSim, Cpu, HardDrive, Router, type LucideIcon } from 'lucide-react'
import { Icon } from './Icon.tsx'

const icons: Record<string, LucideIcon> = {
  picolte: Cpu,
  plastic_sim: CardSim,
  core: Box,
  alpon_x4: HardDrive,
  alpon_x5_ai: HardDrive,
  axis_gw: Router,
}

/** The product type of an asset: its icon and its name. */
export function TypeBadge({ type, label }: { type: string; label: string }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 text-fg-2">
      <Icon of={icons[type] ?? Box} size={14} className="text-fg-3" />
      <span className="truncate">{label}</span>
    </span>
  )
}
