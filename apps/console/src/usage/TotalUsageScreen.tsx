import { SkeletonLines } from '../ui/Skeleton.tsx'

export default function TotalUsageScreen() {
  return <SkeletonLines />
}
