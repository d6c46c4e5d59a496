//! Small host programs that embed the kernel; each lives in `src/bin/`.
