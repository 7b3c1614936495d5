import { SkeletonLines } from '../ui/Skeleton.tsx'

export default function OverviewScreen() {
  return <SkeletonLines />
}
