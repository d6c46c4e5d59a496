//! What the commands are called where the two sides differ on them.

use bookahead_commands::Command;

/// What is compared when both sides have performed the command.
pub(super) fn of(command: &Command) -> &'static str {
    match command {
        Command::Remember | Command::IsUnchanged | Command::Look => "what can be seen",
        Command::Size => "size",
        Command::Get(_) => "a reservation",
        Command::PesOf(_) => "its PEs",
        Command::Extension(_) => "until when it could go on",
        Command::Layer(_) => "how much of it is overlaid",
        Command::Shadow => "shadow",
        Command::Covering(_) => "who covers the window",
        Command::RulesDuring(_) => "which rules apply in the window",
        Command::FreeDuring(_) => "free during any window",
        Command::Rectangle(..) => "rectangle anywhere",
        Command::CandidateStarts(_) => "candidate starts",
        Command::Find(..) => "start of the search",
        Command::ClassAdd(_) => "a class",
        Command::Failing(..) => "which question fails",
        Command::ClassDrop(_) => "a class that is dropped",
        Command::For(_, command) => of(command),
        Command::SetIncarnation(_) => "a book restored",
        Command::SetQueueIncarnation(_) => "a queue restored",
        Command::Plan(..) => "start of the plan",
        Command::PlanMouldable(_) => "the form that is chosen",
        Command::Commit(_) => "commit",
        Command::BookExactly(..) => "a booking of exactly these",
        Command::Book(..) => "start of the booking",
        Command::ReserveOpen(..) => "a job without a known end",
        Command::AnnounceEnd(..)
        | Command::Confirm(_)
        | Command::Cancel(_)
        | Command::Complete(..)
        | Command::Freeze(_) => "answer to the owner",
        Command::Bind(..) => "which PEs it has",
        Command::Advance(..) | Command::AdvanceQueue(..) => "events",
        Command::AdvancePulling(..) => "events and who is pulled forward",
        Command::Next(_) | Command::NextOfQueue(_) => "the next event",
        Command::Alter(..) => "where it is after the alteration",
        Command::Split(..) => "split",
        Command::Transact(_) => "end of the transaction",
        Command::Series(_) => "series",
        Command::Together(_) => "parts that start together",
        Command::CancelAll(_) => "how many are cancelled",
        Command::Explain(..) => "explanation",
        Command::Juggle(..) => "juggling",
        Command::Alternatives(..) => "alternatives",
        Command::Relocate(..) => "relocating",
        Command::ShiftIn(..) => "shifting",
        Command::Overlay(..) => "overlay",
        Command::Offers(..) => "offers",
        Command::Accept(..) => "start of what is accepted",
        Command::Queue(_) => "another discipline",
        Command::Submit(_) => "ticket",
        Command::Withdraw(_) => "withdrawal",
        Command::Wait(..) => "ticket of a request",
        Command::SetKey(..) => "another key",
        Command::MakePreemptible(..) => "whether it may be preempted",
        Command::ReservePreempting(..) => "start of a booking that jobs make room for",
        Command::Requests => "waiting requests",
    }
}
