//! What arrives at the socket of the desk in front of Slurm, and in a job's comment at the gate: it is understood or refused, and nothing proves what was not promised.
#![no_main]

use bookahead_slurm_protocol::{Asked, Gate, Job, Token, Verdict, number_in, wire::Message};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(message) = Message::read(bytes) {
        let mut again = Vec::new();
        message.write(&mut again).expect("memory takes everything");
        // A line that ends with a carriage return is read without it.
        if !bytes.contains(&b'\r') {
            assert_eq!(Message::read(&again[..]).ok().as_ref(), Some(&message));
        }
        for (key, _) in &message.lines {
            let _ = message.number::<u32>(key);
        }
    }
    let Ok(comment) = std::str::from_utf8(bytes) else {
        return;
    };
    let asked = Asked {
        uid: 1,
        nodes: 1,
        limit: 1,
        begin: 0,
        deadline: 100,
        features: String::new(),
        partition: String::new(),
    };
    if let Some(Ok((token, left))) = Token::find(comment) {
        assert!(!token.proves(b"a key that nobody has", &asked));
        assert_eq!(
            token.to_string().parse::<Token>(),
            Err(()),
            "the word begins with what it is"
        );
        assert_eq!(number_in(&left), Some(token.number));
    }
    let job = Job {
        comment: comment.into(),
        uid: 1,
        deadline: 100,
        min_nodes: Some(1),
        max_nodes: Some(1),
        limit: Some(1),
        ..Job::default()
    };
    let verdict = Gate::new(b"a key that nobody has".to_vec(), 0).submit(&job, 10);
    assert!(matches!(verdict, Verdict::Refuse(_)));
});
